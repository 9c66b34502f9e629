import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { API_CONTROLLERS } from '../console.controllers.ts';
import description from './openapi.json' with { type: 'json' };
import { CONSOLE_OPENAPI_PATH, OPERATIONS, PATH_PARAMETERS } from './operations.ts';

/** Returns `GET /console/api/…` for each method of a controller. */
function routesOf(controller: Type): readonly string[] {
  const base = String(Reflect.getMetadata(PATH_METADATA, controller));
  return Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
    const method: unknown = controller.prototype[name];
    if (name === 'constructor' || typeof method !== 'function' || !Reflect.hasMetadata(PATH_METADATA, method))
      return [];
    const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, method) as number];
    const path = `${base}/${String(Reflect.getMetadata(PATH_METADATA, method))}`.replaceAll(/\/+/g, '/');
    return [`${verb} ${path.replace(/(?<=.)\/$/, '')}`];
  });
}

const described = OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} ${path}`);

describe('the description of the console’s API', () => {
  it('has every route, and no other', () => {
    const routes = API_CONTROLLERS.flatMap(routesOf).filter(
      (route) => route !== `GET ${CONSOLE_OPENAPI_PATH}`,
    );

    expect(described.toSorted()).toEqual(routes.toSorted());
  });

  it('explains the parameters of the paths, and no other', () => {
    const parameters = OPERATIONS.flatMap(({ path }) => path.match(/(?<=:)\w+/g) ?? []);

    expect(Object.keys(PATH_PARAMETERS).toSorted()).toEqual([...new Set(parameters)].toSorted());
  });

  it('was made from the operations', () => {
    const ids = Object.values(description.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }: { operationId: string }) => operationId),
    );

    expect(ids.toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted());
  });
});
