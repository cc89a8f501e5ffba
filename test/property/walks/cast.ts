/** Who and what a walk is about: the same agents, orgs and record types for all of them. */
export const AGENTS = { alice: 'a', carol: 'a', bob: 'b', dave: 'b', eve: 'c' } as const;
export type AgentName = keyof typeof AGENTS;
export type OrgName = 'a' | 'b' | 'c';

interface Actor {
  readonly kind: 'agent' | 'admin' | 'platform' | 'nobody';
  readonly agent?: AgentName;
  readonly org?: OrgName;
  /** A key that may only read. */
  readonly readsOnly?: boolean;
}

export const ACTORS = {
  alice: { kind: 'agent', agent: 'alice', org: 'a' },
  carol: { kind: 'agent', agent: 'carol', org: 'a' },
  bob: { kind: 'agent', agent: 'bob', org: 'b' },
  dave: { kind: 'agent', agent: 'dave', org: 'b' },
  eve: { kind: 'agent', agent: 'eve', org: 'c' },
  'alice-reader': { kind: 'agent', agent: 'alice', org: 'a', readsOnly: true },
  'bob-reader': { kind: 'agent', agent: 'bob', org: 'b', readsOnly: true },
  'admin-a': { kind: 'admin', org: 'a' },
  'admin-b': { kind: 'admin', org: 'b' },
  platform: { kind: 'platform' },
  nobody: { kind: 'nobody' },
} as const satisfies Record<string, Actor>;
export type ActorName = keyof typeof ACTORS;

export const actorOf = (name: ActorName): Actor => ACTORS[name];

interface TypeRules {
  readonly mode: 'principal' | 'auto';
  readonly rule: 'none' | 'all-fulfilled' | 'any-fulfilled' | 'quorum';
  readonly quorum?: number;
  readonly notarizes?: true;
  /** A completion of it waits one second for its verdict. */
  readonly brief?: true;
  readonly maxDisputes?: number;
}

export const TYPES = {
  note: { mode: 'principal', rule: 'none', notarizes: true },
  job: { mode: 'principal', rule: 'none' },
  auto: { mode: 'auto', rule: 'none' },
  team: { mode: 'principal', rule: 'all-fulfilled', maxDisputes: 2 },
  'auto-team': { mode: 'auto', rule: 'all-fulfilled' },
  any: { mode: 'principal', rule: 'any-fulfilled' },
  'auto-any': { mode: 'auto', rule: 'any-fulfilled', maxDisputes: 2 },
  quorum: { mode: 'auto', rule: 'quorum', quorum: 2 },
  brief: { mode: 'principal', rule: 'none', brief: true },
} as const satisfies Record<string, TypeRules>;
export type TypeName = keyof typeof TYPES;

export const rulesOf = (name: TypeName): TypeRules => TYPES[name];

export const MAX_REVISIONS = 1;
export const MAX_DEPTH = 2;
export const MAX_ROUNDS = 10;

/** What is registered for a type, in both orgs that principals belong to. */
export const registrationOf = (name: TypeName): Record<string, unknown> => {
  const { mode, rule, quorum, notarizes, brief, maxDisputes } = rulesOf(name);
  if (notarizes) return { type: name, completionSchema: {}, criteriaSchema: CRITERIA_SCHEMA };
  return {
    type: name,
    criteriaSchema: CRITERIA_SCHEMA,
    completionSchema: {
      type: 'object',
      required: ['score'],
      properties: { score: { type: 'integer' } },
    },
    gates: [{ id: 'score', expression: 'evidence.score >= criteria.threshold' }],
    gateMode: mode,
    cascade: { rule, ...(quorum === undefined ? {} : { quorum }) },
    maxRevisions: MAX_REVISIONS,
    maxDelegationDepth: MAX_DEPTH,
    ...(maxDisputes === undefined ? {} : { maxDisputes }),
    ...(brief ? { verdictWindowSeconds: 1 } : {}),
  };
};

const CRITERIA_SCHEMA = {
  type: 'object',
  required: ['goal'],
  properties: { goal: { type: 'string' }, threshold: { type: 'integer' } },
};

export const CRITERIA = {
  base: { goal: 'base', threshold: 5 },
  counter: { goal: 'counter', threshold: 5 },
  bad: { threshold: 5 },
} as const;
export const EVIDENCE = { pass: { score: 9 }, fail: { score: 1 }, bad: { score: 'high' } } as const;
