import type { Body } from '../service/world.ts';

/** What a Reference Object of an OpenAPI document points at; anything else as it is. */
export const resolved = <T = Body>(document: Body, value: unknown): T => {
  let found = value as Body;
  while (typeof found?.['$ref'] === 'string')
    found = found['$ref']
      .slice(2)
      .split('/')
      .reduce((at, name) => at[name] as Body, document);
  return found as T;
};
