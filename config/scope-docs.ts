import { scopesOf } from '../application/call/access.ts';
import { listedRoutes } from './listed-routes.ts';
import {
  expandScopes,
  SCOPE_PROFILES,
  SCOPES,
  type Scope,
  type ScopeProfile,
} from '../domain/identity/scopes.ts';

/** The profiles that a key can be minted with. */
export const profileTable = (): string =>
  [
    '| profile | role | scopes |',
    '|---|---|---|',
    ...Object.entries<ScopeProfile>(SCOPE_PROFILES).map(
      ([name, { role, scopes, description }]) =>
        `| \`${name}\` | ${role} | ${name === 'platform-full' ? 'every scope' : scopes.map(code).join(', ')}. ${description} |`,
    ),
  ].join('\n');

/**
 * The routes that each scope allows, and the roles that a route is limited to. Routes are data, so
 * nothing is called.
 */
export const scopeTable = (): string => {
  const routes = listedRoutes();
  const rows = new Map<string, string[]>();
  for (const route of routes) {
    if (route.access === 'public') continue;
    const { roles } = route.access;
    const needed = `${scopesOf(route.access).map(code).join(' or ') || 'any credential'}${roles ? ` (${roles.join(', ')})` : ''}`;
    rows.set(needed, [...(rows.get(needed) ?? []), `\`${route.method} ${route.path}\``]);
  }
  for (const scope of idleScopes(routes)) rows.set(code(scope), ['opens nothing in this version']);
  return [
    '| scope (and role, where only some may) | routes |',
    '|---|---|',
    ...[...rows]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([needed, paths]) => `| ${needed} | ${paths.join('<br>')} |`),
  ].join('\n');
};

/** Scopes that no route asks for, and that imply none that a route asks for. */
const idleScopes = (routes: ReturnType<typeof listedRoutes>): readonly Scope[] => {
  const asked = new Set(
    routes.flatMap(({ access }) => (access === 'public' ? [] : scopesOf(access))),
  );
  return SCOPES.filter((scope) => ![...expandScopes([scope])].some((one) => asked.has(one)));
};

const code = (scope: string): string => `\`${scope}\``;
