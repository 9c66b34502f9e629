import { type Fields, isFields, objectsIn } from '../../digest/fields.ts';

/** Lists the objects of an interface in any of its three forms: an object with `values`, a list, a single object. */
export function valuesOf(sent: unknown): readonly Fields[] {
  const values = isFields(sent) && Object.hasOwn(sent, 'values') ? sent['values'] : sent;
  if (!isFields(values)) return objectsIn(values);
  return Object.keys(values).length === 0 ? [] : [values];
}
