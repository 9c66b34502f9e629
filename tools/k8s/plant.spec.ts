import type { Root } from './manifest.ts';
import { plant } from './plant.ts';

const SERVICE = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'errata' } };
const ROOTS = [
  { name: 'first', objects: [SERVICE] },
  {
    name: 'second',
    objects: [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'errata-h2a' }, data: { 'a/b': '1', c: '2' } },
      { ...SERVICE, spec: { ports: [{ port: 80 }] } },
    ],
  },
] as readonly Root[];

describe('plant', () => {
  it('changes one field in the first root with the object, and not the root itself', () => {
    const { root, object } = plant(ROOTS, { object: 'ConfigMap/errata-', path: '/data/a~1b', value: 3 });

    expect(root).toMatchObject({ name: 'second', objects: [{ data: { 'a/b': 3, c: '2' } }, {}] });
    expect(object).toBe(root.objects[0]);
    expect(ROOTS[1]?.objects[0]).toMatchObject({ data: { 'a/b': '1' } });
  });

  it('changes the first root that has the parent of the field', () => {
    const atTop = plant(ROOTS, { object: 'Service/errata', path: '/kind', value: 'Secret' });
    const inPort = plant(ROOTS, { object: 'Service/errata', path: '/spec/ports/0/port', value: 81 });

    expect([atTop.root.name, inPort.root.name]).toEqual(['first', 'second']);
  });

  it('removes a field', () => {
    const { object } = plant(ROOTS, { object: 'ConfigMap/errata-', path: '/data/c', value: undefined });

    expect(object).toMatchObject({ data: { 'a/b': '1' } });
    expect(object).not.toHaveProperty('data.c');
  });

  it.each([
    { object: 'Secret/errata', path: '/data', value: {} },
    { object: 'Service/errata', path: '/spec/selector/app', value: 'errata' },
  ])('refuses a fault without a place', (fault) => {
    expect(() => plant(ROOTS, fault)).toThrow('no root has a place for this planted fault');
  });
});
