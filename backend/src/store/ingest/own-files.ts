import { type Fields, fieldsAt, objectsIn } from './fields.ts';

/** The event with its files named relative to the application: where it is installed is nobody's concern. */
export function withOwnFiles(event: Fields, root: string): Fields {
  const exceptions = objectsIn(fieldsAt(event, 'exception')['values']);
  if (root === '' || exceptions.length === 0) return event;
  const prefix = root.endsWith('/') ? root : `${root}/`;
  const values = exceptions.map((exception) => {
    const stacktrace = fieldsAt(exception, 'stacktrace');
    const frames = objectsIn(stacktrace['frames']).map((frame) => {
      const { filename } = frame;
      const isInside = typeof filename === 'string' && filename.startsWith(prefix);
      return isInside ? { ...frame, filename: filename.slice(prefix.length) } : frame;
    });
    return { ...exception, stacktrace: { ...stacktrace, frames } };
  });
  return { ...event, exception: { ...fieldsAt(event, 'exception'), values } };
}
