import { Type } from 'typebox';
import { SCOPE_PROFILES, SCOPES, ROLES } from '../../../domain/identity/scopes.ts';
import { notFound } from '../../../domain/kernel/errors.ts';
import { ACTIONS } from '../../../domain/record/actions.ts';
import {
  ADD_REFERENCE,
  CHILDREN_ENDED,
  DISPUTE_STEPS,
  LIFECYCLE,
  type Transition,
} from '../../../domain/record/lifecycle.ts';
import { STATUSES, TERMINAL } from '../../../domain/record/record-status.ts';
import { mermaidOf } from '../../../domain/record/lifecycle-diagram.ts';
import { PREDICATE_SCHEMAS } from '../../../domain/record/predicate-schemas.ts';
import { predicateTypeOf } from '../../../domain/vault/statement.ts';
import { page, type Page } from '../page.ts';
import { JsonObjectSchema, Status, nullable, oneOf } from '../../../application/call/schemas.ts';
import { lifecycleSvg } from '../../../domain/record/lifecycle-svg.ts';

const CACHED = { 'Cache-Control': 'public, max-age=300' };

/** Registered with IANA on 2023-09-18. Clients that do not know it treat it as text/plain. */
const MERMAID = 'application/vnd.mermaid';
const SVG = 'image/svg+xml';
const FORMAT_OF: { readonly [mediaType: string]: 'mermaid' | 'svg' } = {
  [MERMAID]: 'mermaid',
  'text/plain': 'mermaid',
  [SVG]: 'svg',
};
const MERMAID_EXAMPLE = 'stateDiagram-v2\n    CREATED --> ACTIVE: activate\n';
/** An SVG that a browser opens as a page of its own runs no script and loads nothing. */
const DIAGRAM_HEADERS = {
  'Cache-Control': 'private, max-age=300',
  Vary: 'Accept',
  'Content-Security-Policy': "default-src 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/**
 * The closed sets of the service, as data. @param predicateBase the base URL of the predicate
 * types; read at each request, because the first start fixes it.
 */
export const discoveryPages = (predicateBase: () => string): readonly Page[] => [
  page({
    path: '/v1/scope-profiles',
    operationId: 'listScopeProfiles',
    summary: 'The named scope profiles',
    tag: 'Discovery',
    answers: {
      200: {
        description: 'Each profile with its role and scopes',
        schema: ProfilesSchema,
        example: {
          data: [
            {
              name: 'agent-notarize',
              role: 'agent',
              scopes: ['records:write', 'audit:read', 'schemas:read'],
              description: 'Notarize and read back',
            },
          ],
        },
      },
    },
    render: () => ({
      status: 200,
      headers: CACHED,
      body: {
        data: Object.entries(SCOPE_PROFILES).map(([name, { role, scopes, description }]) => ({
          name,
          role,
          scopes,
          description,
        })),
      },
    }),
  }),
  page({
    path: '/predicates',
    operationId: 'listPredicates',
    summary: 'The predicates under which the vault signs statements',
    tag: 'Verification',
    answers: {
      200: {
        description: 'The seven kinds',
        schema: PredicatesSchema,
        example: {
          data: [
            {
              kind: 'record-state',
              predicateType: 'https://notary.example/predicates/record-state/v1',
              href: '/predicates/record-state/v1',
              description: 'What happened to a record',
            },
          ],
        },
      },
    },
    render: () => ({
      status: 200,
      headers: CACHED,
      body: {
        data: PREDICATE_SCHEMAS.map(({ kind, description }) => ({
          kind,
          predicateType: predicateTypeOf(predicateBase(), kind),
          href: predicateTypeOf('', kind),
          description,
        })),
      },
    }),
  }),
  page({
    path: '/predicates/{kind}/v1',
    operationId: 'getPredicate',
    summary: 'The JSON Schema of a predicate',
    tag: 'Verification',
    params: Type.Object({
      kind: Type.String({ maxLength: 64, description: 'As /predicates lists it' }),
    }),
    produces: ['application/json', 'application/schema+json'],
    answers: {
      200: {
        description: 'JSON Schema 2020-12; its $id is the predicateType of signed statements',
        schema: JsonObjectSchema,
        example: { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'record-state' },
      },
    },
    problems: ['NOT_FOUND'],
    render: ({ params, mediaType }) => {
      const { kind, schema } = predicateOf(params.kind);
      const $id = predicateTypeOf(predicateBase(), kind);
      return {
        status: 200,
        headers: CACHED,
        text: { mediaType, content: JSON.stringify({ $id, ...schema }) },
      };
    },
  }),
  page({
    path: '/lifecycle',
    operationId: 'getLifecycle',
    summary: 'The states of a record and every transition among them',
    description:
      'The one table that decides what is allowed: for each transition the states, who may, which guards refuse in which order, what is sealed and which event follows. An empty from means that the record comes into being. The same as a diagram: format=mermaid or format=svg, or by Accept; format goes before Accept.',
    tag: 'Discovery',
    access: { scope: null },
    query: Type.Object({
      format: Type.Optional(oneOf(['json', 'mermaid', 'svg'], 'Default: what Accept asks for')),
    }),
    produces: ['application/json', MERMAID, 'text/plain', SVG],
    answers: {
      200: {
        description: 'The table',
        schema: LifecycleSchema,
        example: LIFECYCLE_EXAMPLE,
        texts: {
          [MERMAID]: MERMAID_EXAMPLE,
          'text/plain': MERMAID_EXAMPLE,
          [SVG]: '<svg xmlns="http://www.w3.org/2000/svg"/>',
        },
      },
    },
    render: ({ query, mediaType }) => {
      const transitions: readonly Transition[] = LIFECYCLE;
      switch (query.format ?? FORMAT_OF[mediaType]) {
        case 'mermaid':
          return {
            status: 200,
            headers: DIAGRAM_HEADERS,
            text: {
              mediaType: mediaType === 'text/plain' ? mediaType : MERMAID,
              content: `${mermaidOf(transitions)}\n`,
            },
          };
        case 'svg':
          return {
            status: 200,
            headers: DIAGRAM_HEADERS,
            text: { mediaType: SVG, content: lifecycleSvg(transitions) },
          };
        default:
          return {
            status: 200,
            body: presentLifecycle([
              ...transitions,
              CHILDREN_ENDED,
              ...Object.values<Transition>(DISPUTE_STEPS),
              ADD_REFERENCE,
            ]),
          };
      }
    },
  }),
];

const ProfilesSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      name: Type.String(),
      role: oneOf(ROLES),
      scopes: Type.Array(oneOf(SCOPES)),
      description: Type.String(),
    }),
  ),
});
const PredicatesSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      kind: Type.String(),
      predicateType: Type.String(),
      href: Type.String(),
      description: Type.String(),
    }),
  ),
});

const LifecycleSchema = Type.Object({
  states: Type.Array(Type.Object({ name: Status, terminal: Type.Boolean() })),
  actions: Type.Array(oneOf(ACTIONS)),
  actors: Type.Array(Type.String()),
  guards: Type.Array(Type.String({ description: 'In a 422, the member reason' })),
  transitions: Type.Array(
    Type.Object({
      action: oneOf(ACTIONS),
      from: Type.Array(Status),
      to: Type.Array(Type.String({ description: 'A state, or unchanged' })),
      when: Type.Unsafe({
        type: ['object', 'null'],
        description:
          'What must hold besides the status: pending (a completion waits), counter (a counter-proposal is on the table)',
      }),
      actors: Type.Array(Type.String()),
      guards: Type.Array(Type.String()),
      entry: Type.String(),
      event: nullable(Type.String()),
      description: Type.String(),
    }),
  ),
});

const LIFECYCLE_EXAMPLE = {
  states: [{ name: 'CREATED', terminal: false }],
  actions: ['activate'],
  actors: ['principal'],
  guards: [],
  transitions: [
    {
      action: 'activate',
      from: ['CREATED'],
      to: ['ACTIVE'],
      when: null,
      actors: ['principal'],
      guards: [],
      entry: 'RECORD_ACTIVATED',
      event: 'record.created',
      description: 'Start the work',
    },
  ],
};

const predicateOf = (kind: string): (typeof PREDICATE_SCHEMAS)[number] => {
  const found = PREDICATE_SCHEMAS.find((schema) => schema.kind === kind);
  if (!found)
    throw notFound('predicate kind', {
      allowedValues: PREDICATE_SCHEMAS.map((schema) => schema.kind),
    });
  return found;
};

const presentLifecycle = (transitions: readonly Transition[]): object => ({
  states: STATUSES.map((name) => ({ name, terminal: TERMINAL.has(name) })),
  actions: ACTIONS,
  actors: [...new Set(transitions.flatMap((transition) => transition.actors))],
  guards: [...new Set(transitions.flatMap((transition) => transition.guards))],
  transitions: transitions.map((transition) => ({ ...transition, when: transition.when ?? null })),
});
