import type { Plugin } from 'vite';

/**
 * The bundler writes the debug id into the map and into a comment of the script, but a running script cannot read a
 * comment. This line tells the SDK, which sends the id of every file of a stack along (`debug_meta.images`), so that
 * the server finds the map by id whatever the file is called. It stands last: the map's lines stay true.
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
