import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';

/** Returns `GET /console/api/…` for each method of a controller. */
export function routesOf(controller: Type): readonly string[] {
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
