import type { Plugin } from 'vite';

/**
 * Returns a line that registers the debug ID of a script at run time. The bundler writes the ID into the map and into a
 * comment, which a running script cannot read. The SDK sends the ID of every file of a stack (`debug_meta.images`), so
 * the server finds the map by ID under any file name. The line comes last, so the positions in the map stay true.
 */
function announcement(debugId: string): string {
  return `;try{(globalThis._debugIds??={})[new Error().stack]="${debugId}"}catch{}\n`;
}

export function debugIds(): Plugin {
  return {
    name: 'errata:debug-ids',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const comment = /^\/\/# debugId=([0-9a-f-]{36})$/m.exec(file.code);
        if (comment?.[1] === undefined) this.error(`${file.fileName} has no debug id`);
        file.code = `${file.code.slice(0, comment.index)}${announcement(comment[1])}${file.code.slice(comment.index)}`;
      }
    },
  };
}
