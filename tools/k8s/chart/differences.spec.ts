import type { KubernetesObject } from '../manifest.ts';
import { differences, leavesOf } from './differences.ts';

const SERVICE = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'errata' } };
const withSpec = (spec: unknown): KubernetesObject => ({ ...SERVICE, spec }) as KubernetesObject;

describe('leavesOf', () => {
  it('gives each value by its path', () => {
    expect([...leavesOf([withSpec({ ports: [{ port: 80 }], selector: {} })])]).toEqual([
      ['Service/errata/apiVersion', 'v1'],
      ['Service/errata/kind', 'Service'],
      ['Service/errata/metadata/name', 'errata'],
      ['Service/errata/spec/ports/0/port', 80],
      ['Service/errata/spec/selector', {}],
    ]);
  });
});

describe('differences', () => {
  it('ignores the order of objects and of keys', () => {
    const other = { ...SERVICE, metadata: { name: 'errata-pods' } };

    expect(
      differences([withSpec({ a: 1, b: [1, 2] }), other], [other, withSpec({ b: [1, 2], a: 1 })]),
    ).toEqual([]);
  });

  it.each([
    ['a value', { a: 1 }, { a: 2 }, 'spec/a: 1 in the manifests, 2 in the chart'],
    ['a type', { a: 1 }, { a: '1' }, 'spec/a: 1 in the manifests, "1" in the chart'],
    ['a missing key', { a: 1, b: null }, { a: 1 }, 'spec/b: null in the manifests, nothing in the chart'],
    ['a further key', { a: 1 }, { a: 1, b: {} }, 'spec/b: nothing in the manifests, {} in the chart'],
  ])('finds %s', (_, wanted, got, line) => {
    expect(differences([withSpec(wanted)], [withSpec(got)])).toEqual([`Service/errata/${line}`]);
  });

  it('finds the order of a list', () => {
    expect(differences([withSpec([1, 2])], [withSpec([2, 1])])).toHaveLength(2);
  });

  it('finds a missing object and an object that comes twice', () => {
    expect(differences([SERVICE], [])).toContain(
      'Service/errata/kind: "Service" in the manifests, nothing in the chart',
    );
    expect(differences([SERVICE], [SERVICE, SERVICE])).toContain(
      'Service/errata (2)/kind: nothing in the manifests, "Service" in the chart',
    );
  });
});
