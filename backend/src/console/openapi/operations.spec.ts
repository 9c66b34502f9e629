import { API_CONTROLLERS } from '../console.controllers.ts';
import { routesOf } from '../controller-routes.fixture.ts';
import description from './openapi.json' with { type: 'json' };
import { CONSOLE_OPENAPI_PATH, OPERATIONS, PATH_PARAMETERS } from './operations.ts';

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
