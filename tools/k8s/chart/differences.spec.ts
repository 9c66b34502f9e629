import type { KubernetesObject } from '../manifest.ts';
import { differences } from './differences.ts';

const SERVICE = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'errata' } };
const OTHER = { ...SERVICE, metadata: { name: 'errata-pods' } };
const withSpec = (spec: unknown): KubernetesObject => ({ ...SERVICE, spec }) as KubernetesObject;

describe('differences', () => {
  it('ignores the order of objects and of keys', () => {
    const spec = { a: 1, b: [1, 2], c: undefined };

    expect(differences([withSpec(spec), OTHER], [OTHER, withSpec({ b: [1, 2], a: 1 })])).toEqual([]);
  });

  it.each<[string, unknown, unknown, readonly string[]]>([
    ['a value', { a: 1 }, { a: 2 }, ['chart lacks a: 1', 'manifests lack a: 2']],
    ['a type', { a: 1 }, { a: '1' }, ['chart lacks a: 1', 'manifests lack a: "1"']],
    ['a missing key', { a: 1, b: null }, { a: 1 }, ['chart lacks b: null']],
    ['a further key', { a: 1 }, { a: 1, b: {} }, ['manifests lack b: {}']],
    [
      'the order of a list',
      { a: [1] },
      { a: [2, 1] },
      ['chart lacks a/0: 1', 'manifests lack a/0: 2', 'manifests lack a/1: 1'],
    ],
  ])('finds %s', (_, wanted, got, lines) => {
    const expected = lines.map((line) => `the ${line.replace(/lacks? /, '$&Service/errata/spec/')}`);

    expect(differences([withSpec(wanted)], [withSpec(got)])).toEqual(expected);
  });

  it('finds a missing object and an object that comes twice', () => {
    expect(differences([SERVICE], [])).toContain('the chart lacks Service/errata/kind: "Service"');
    expect(differences([SERVICE], [SERVICE, SERVICE])).toContain(
      'the manifests lack Service/errata (2)/kind: "Service"',
    );
  });
});
