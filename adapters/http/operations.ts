import type { Caller } from '../../domain/identity/caller.ts';
import { mayCall } from '../../application/call/access.ts';
import type { Link } from './route.ts';
import type { RouteDoc } from './route-doc.ts';

/** The table by operation, so that an answer can point at what exists and at nothing else. */
export class Operations {
  private readonly byId: ReadonlyMap<string, RouteDoc>;

  constructor(routes: readonly RouteDoc[]) {
    this.byId = new Map(routes.map((route) => [route.operationId, route]));
  }

  /** Null where there is no such operation, or the caller may not call it. The href is a path, relative to the base URL. */
  link(
    caller: Caller | null,
    operationId: string,
    params: { readonly [name: string]: string } = {},
  ): Link | null {
    const route = this.byId.get(operationId);
    return route && mayCall(route.access, caller)
      ? { method: route.method, href: fillPath(route.path, params) }
      : null;
  }
}

/** `/v1/records/{id}` with the parameters in place. */
export const fillPath = (path: string, params: { readonly [name: string]: string }): string =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    params[name] === undefined ? whole : encodeURIComponent(params[name]),
  );
