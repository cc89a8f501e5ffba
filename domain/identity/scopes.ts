/**
 * Scopes, profiles and what implies what: one table each. Within a family manage implies write and
 * write implies read; schemas:admin implies schemas:manage. A key lists what it was granted; a
 * check expands it.
 */
export const ROLES = ['agent', 'admin', 'platform'] as const;
export type Role = (typeof ROLES)[number];

const FAMILIES = [
  'records',
  'completions',
  'webhooks',
  'audit',
  'compliance',
  'agents',
  'disputes',
  'events',
  'reputation',
  'schemas',
  'drift',
] as const;
type Family = (typeof FAMILIES)[number];
type Level = 'read' | 'write' | 'manage';

export type Scope =
  `${Family}:${Level}` | 'schemas:admin' | 'admin:keys' | 'admin:system' | 'admin:backfill';

const LEVELS: readonly Level[] = ['read', 'write', 'manage'];

export const SCOPES: readonly Scope[] = [
  ...FAMILIES.flatMap((family) => LEVELS.map((level): Scope => `${family}:${level}`)),
  'schemas:admin',
  'admin:keys',
  'admin:system',
  'admin:backfill',
];

/** Scopes that an agent key cannot hold. */
export const ADMIN_ONLY_SCOPES: ReadonlySet<Scope> = new Set<Scope>([
  'admin:keys',
  'admin:system',
  'admin:backfill',
  'schemas:admin',
  'schemas:manage',
  'schemas:write',
  'drift:read',
  'drift:write',
  'drift:manage',
  'compliance:read',
  'compliance:write',
  'compliance:manage',
  'agents:manage',
  'disputes:manage',
]);

const everyFamily = (level: Level): readonly Scope[] =>
  FAMILIES.map((family): Scope => `${family}:${level}`);

export interface ScopeProfile {
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly description: string;
}

export const SCOPE_PROFILES = {
  'agent-full': {
    role: 'agent',
    scopes: [
      'records:write',
      'completions:write',
      'audit:read',
      'events:read',
      'disputes:write',
      'reputation:read',
      'schemas:read',
      'agents:read',
      'webhooks:write',
    ],
    description: 'Everything an agent does; the default of agent keys',
  },
  'agent-notarize': {
    role: 'agent',
    scopes: ['records:write', 'audit:read', 'schemas:read'],
    description: 'Notarize and read back',
  },
  'agent-performer': {
    role: 'agent',
    scopes: [
      'records:read',
      'completions:write',
      'disputes:write',
      'schemas:read',
      'reputation:read',
    ],
    description: 'Deliver work and contest verdicts',
  },
  'agent-readonly': {
    role: 'agent',
    scopes: ['records:read', 'completions:read', 'audit:read', 'events:read', 'schemas:read'],
    description: 'Read only',
  },
  'admin-standard': {
    role: 'admin',
    scopes: [...everyFamily('manage'), 'schemas:admin', 'admin:keys'],
    description: 'Govern one org; the default of admin keys',
  },
  'admin-observer': {
    role: 'admin',
    scopes: everyFamily('read'),
    description: 'Read everything of one org',
  },
  'admin-schemas': {
    role: 'admin',
    scopes: ['schemas:admin', 'records:read'],
    description: 'Keep the record types of one org',
  },
  witness: {
    role: 'admin',
    scopes: ['audit:read', 'audit:write'],
    description: 'Co-sign checkpoints of the org-reads log',
  },
  'platform-full': {
    role: 'platform',
    scopes: SCOPES,
    description:
      'Everything; the default of platform keys. admin:backfill opens nothing in this version',
  },
  'platform-operator': {
    role: 'platform',
    scopes: ['admin:system', 'admin:keys', 'audit:read', 'compliance:read', 'events:read'],
    description: 'Run the service without acting on records',
  },
} as const satisfies Record<string, ScopeProfile>;

export type ScopeProfileName = keyof typeof SCOPE_PROFILES;

export const DEFAULT_PROFILE: { readonly [role in Role]: ScopeProfileName } = {
  agent: 'agent-full',
  admin: 'admin-standard',
  platform: 'platform-full',
};

/** The profile with a name that came from outside; undefined where there is none. */
export const findProfile = (name: string): ScopeProfile | undefined => profiles.get(name);
const profiles = new Map<string, ScopeProfile>(Object.entries(SCOPE_PROFILES));

const known = new Set<string>(SCOPES);
export const isScope = (text: string): text is Scope => known.has(text);

/** Everything that the granted scopes allow. */
export const expandScopes = (granted: Iterable<Scope>): ReadonlySet<Scope> => {
  const all = new Set<Scope>();
  for (const scope of granted) {
    all.add(scope);
    const [family, level] = scope.split(':') as [string, string];
    if (family === 'admin') continue;
    const reach = level === 'admin' ? LEVELS.length : LEVELS.indexOf(level as Level) + 1;
    for (const implied of LEVELS.slice(0, reach)) all.add(`${family}:${implied}` as Scope);
  }
  return all;
};
