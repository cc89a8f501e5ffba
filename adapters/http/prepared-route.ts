import { Type, type TObject } from 'typebox';
import { compileCheck, type Check } from './validation.ts';
import type { Route } from './route.ts';

/** A row with everything that can be worked out before the first request. */
export interface PreparedRoute {
  readonly route: Route;
  readonly checkParams: Check<unknown> | null;
  /** The declared query, with `limit` and `cursor` on a paged route; a route without parameters takes none. */
  readonly query: TObject;
  readonly checkQuery: Check<unknown>;
  readonly checkBody: Check<unknown> | null;
}

export const prepareRoute = (route: Route): PreparedRoute => {
  const query = queryOf(route);
  return {
    route,
    checkParams: route.params && compileCheck(route.params, 'path'),
    query,
    checkQuery: compileCheck(query, 'query'),
    checkBody: route.body && compileCheck(route.body, 'body', bodyMembers(route)),
  };
};

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

const PAGE = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
      description: 'Rows a page',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 1024,
      description:
        'The nextCursor of the page before; it continues the same listing of the same caller and no other',
    }),
  ),
};

/** What a caller may put into the query of this route. */
export const queryOf = (route: Pick<Route, 'query' | 'paged'>): TObject =>
  Type.Object(
    { ...(route.query?.properties ?? {}), ...(route.paged ? PAGE : {}) },
    { additionalProperties: false },
  );

/** What a refused body is told besides its errors. */
const bodyMembers = (
  route: Route,
): {
  requiredFields?: readonly string[];
  optionalFields?: readonly string[];
  examplePayload?: unknown;
} => {
  const { properties, required } = route.body as {
    properties?: object;
    required?: readonly string[];
  };
  if (!properties) return {};
  const requiredFields = required ?? [];
  const [example] = Object.values(route.examples);
  return {
    requiredFields,
    optionalFields: Object.keys(properties).filter((name) => !requiredFields.includes(name)),
    ...(example === undefined ? {} : { examplePayload: example }),
  };
};
