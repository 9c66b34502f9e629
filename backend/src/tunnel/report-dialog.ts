import type { ServerResponse } from 'node:http';

/**
 * The dialog of `showReportDialog`: the SDKs load this script from `/api/embed/error-page/?dsn=…&eventId=…`, with texts of
 * the page as further parameters. It reads them from its own address, so that its text is the same for all, and posts what
 * the person wrote to that address.
 *
 * It works under a Content-Security-Policy that allows this origin for scripts and connections: it sets styles by CSSOM and
 * texts as text, and evaluates nothing. To a script of the SDK it says that the dialog is closed by a message to the window.
 */
const SCRIPT = `(() => {
  'use strict';
  const url = document.currentScript.src;
  const given = new URL(url).searchParams;
  const id = 'errata-report-dialog';
  document.getElementById(id)?.remove();
  const add = (parent, tag, members, style) => {
    const element = Object.assign(document.createElement(tag), members);
    Object.assign(element.style, style);
    parent.append(element);
    return element;
  };
  const text = (name, otherwise) => given.get(name) || otherwise;
  const dialog = add(document.body ?? document.documentElement, 'dialog', { id }, {
    boxSizing: 'border-box', width: 'min(32rem, calc(100vw - 2rem))', padding: '1.5rem', borderRadius: '0.5rem',
    font: '1rem/1.5 system-ui, sans-serif', colorScheme: 'light dark', textAlign: 'start',
  });
  const title = add(dialog, 'h2', { id: id + '-title', textContent: text('title', 'It looks like we’re having issues.') },
    { margin: '0 0 0.5rem', font: '600 1.25rem/1.4 system-ui, sans-serif' });
  dialog.setAttribute('aria-labelledby', title.id);
  const body = add(dialog, 'div');
  const lines = [text('subtitle', 'Our team has been notified.'),
    text('subtitle2', 'If you’d like to help, tell us what happened below.')];
  for (const line of lines) add(body, 'p', { textContent: line }, { margin: '0 0 0.5rem' });
  const form = add(body, 'form');
  const field = (tag, label, members) => {
    const around = add(form, 'label', { textContent: label }, { display: 'block', margin: '0 0 0.75rem' });
    return add(around, tag, members,
      { display: 'block', boxSizing: 'border-box', width: '100%', padding: '0.5rem', font: 'inherit' });
  };
  field('input', text('labelName', 'Name'), { name: 'name', autocomplete: 'name', value: text('name', '') });
  field('input', text('labelEmail', 'Email'),
    { name: 'email', type: 'email', autocomplete: 'email', value: text('email', '') });
  const comments = field('textarea', text('labelComments', 'What happened?'), { name: 'comments', required: true, rows: 5 });
  const status = add(dialog, 'p', {}, { margin: '0 0 0.75rem' });
  status.setAttribute('role', 'status');
  const button = (parent, members) => add(parent, 'button', members, { padding: '0.5rem 1rem', margin: '0 0.5rem 0 0', font: 'inherit' });
  const send = button(form, { type: 'submit', textContent: text('labelSubmit', 'Submit Crash Report') });
  const close = button(dialog, { type: 'button', textContent: text('labelClose', 'Close') });
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    window.postMessage('__sentry_reportdialog_closed__', '*');
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (send.disabled) return;
    if (comments.value.trim() === '') {
      status.textContent = text('errorFormEntry', 'Some fields were invalid. Please correct the errors and try again.');
      comments.focus();
      return;
    }
    send.disabled = true;
    const answer = await fetch(url, { method: 'POST', credentials: 'omit', body: new URLSearchParams(new FormData(form)) })
      .catch(() => undefined);
    send.disabled = false;
    if (answer?.ok) {
      body.remove();
      status.textContent = text('successMessage', 'Your feedback has been sent. Thank you!');
      close.focus();
    } else {
      status.textContent = text('errorGeneric',
        'An unknown error occurred while submitting your report. Please try again.');
    }
  });
  dialog.showModal();
})();
`;

const HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'content-length': Buffer.byteLength(SCRIPT),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Older SDKs load the script without CORS, also into a page whose policy asks for this header (COEP).
  'cross-origin-resource-policy': 'cross-origin',
};

/** Sends the script of the dialog. @param cors headers for a page of another origin. */
export function sendReportDialog(response: ServerResponse, cors: Readonly<Record<string, string>>): void {
  response.writeHead(200, { ...HEADERS, ...cors }).end(SCRIPT);
}
