import { scanHtml } from './scan-html.ts';

describe('scanHtml', () => {
  it.each([
    ['<script>a()</script>', ['a()']],
    ['<SCRIPT TYPE=module>a()</SCRIPT >', ['a()']],
    ['<script type="text/javascript">a</script><script type="importmap">{}</script>', ['a', '{}']],
    ['<script>if (a < b && c) document.write("<p>")</script>', ['if (a < b && c) document.write("<p>")']],
    ['<script>\r\na\rb</script>', ['\na\nb']],
    ['<p title="<script>a</script>">', []],
    ["<p title=it's><script>a</script>", ['a']],
    ['<p title=">"><script>a</script>', ['a']],
    ['<!-- <script>a</script> --><script>b</script>', ['b']],
    ['<!--><script>a</script>', ['a']],
    ['<textarea><script>a</script></textarea><title><script>b</script></title>', []],
    ['<script src="/a.js"></script>', []],
    ['<script type="application/ld+json">{}</script><script type="text/x-template">a</script>', []],
    ['a < b <script>c</script>', ['c']],
    ['<script>a', ['a']],
  ])('finds the scripts of %j', (html, scripts) => {
    expect(scanHtml(html).scripts).toEqual(scripts);
  });

  it('finds styles, style attributes and handlers, as a browser reads them', () => {
    const html = `<style media="print">p > a {}</style>
      <p style="font: 1em &quot;A&#39;s&#x21;&quot;&amp;">
      <link media=print onload="this.media='all'"><br style=color:red style=ignored /><svg><style>b</style></svg>`;

    expect(scanHtml(html)).toMatchObject({
      styles: ['p > a {}', 'b'],
      styleAttributes: [`font: 1em "A's!"&`, 'color:red'],
      handlers: ["this.media='all'"],
    });
  });

  it.each([
    ['<!doctype html><html><head><title>', '<!doctype html><html><head>'],
    ['<!doctype html><html lang="en"><body>', '<!doctype html><html lang="en">'],
    ['<!-- a --><!DOCTYPE html>\n<title>', '<!-- a --><!DOCTYPE html>'],
    ['<head data-a=">"><header>', '<head data-a=">">'],
    ['<p>', ''],
  ])('puts the settings of %j after %j', (html, before) => {
    expect(html.slice(0, scanHtml(html).headStart)).toBe(before);
  });

  it.each([
    ['<a '.repeat(20_000)],
    ['<!--'.repeat(20_000)],
    ['<script>'.repeat(20_000)],
    ['<a b="'.repeat(20_000)],
  ])('ends at text that is no HTML', (html) => {
    expect(scanHtml(html).styles).toEqual([]);
  });
});
