import {
  actorOf,
  AGENTS,
  registrationOf,
  type ActorName,
  type AgentName,
  type OrgName,
  type TypeName,
} from './cast.ts';
import type { Command } from './command.ts';
import { requestOf, UNKNOWN_ID } from './request.ts';
import type { Shrunk } from './shrink.ts';

/**
 * A walk as a script for bash and curl: it sets up whom and what the walk needs on a fresh service, then takes it,
 * and prints the answer to each step. The last line shows what differs.
 */
export const curlScript = ({ commands, mismatch }: Shrunk): string => {
  const isAnswer = mismatch.at < commands.length;
  return [
    '#!/usr/bin/env bash',
    '# Takes BASE, the address of a fresh service, and PLATFORM_KEY, its first key.',
    `# The contract expects: ${mismatch.expected}`,
    `# The service answers:  ${mismatch.observed}`,
    PRELUDE,
    ...setUp(commands),
    ...commands.flatMap((command, index) => step(command, index + 1)),
    ...(isAnswer ? [] : recordsOf(commands)),
    '',
  ].join('\n');
};

const PRELUDE = `set -euo pipefail
call() { # key method path [body]
  local answer
  answer=$(curl -sS -X "$2" "$BASE$3" -w '\\n%{http_code}' \${1:+-H "Authorization: Bearer $1"} \${4:+-H "Content-Type: application/json" --data-raw "$4"})
  status=\${answer##*$'\\n'} body=\${answer%$'\\n'*}
}
member() { if [[ $body =~ \\"$1\\":\\"([^\\"]*)\\" ]]; then echo "\${BASH_REMATCH[1]}"; fi; }
need() { call "$@"; [ "$status" -lt 300 ] || { echo "$status $body" >&2; exit 1; }; }
show() { echo "$1:" "$status" $(member code) $(member reason); }`;

/** Only what the commands mention. */
const setUp = (commands: readonly Command[]): readonly string[] => {
  const actors = new Set<ActorName>(commands.map(({ as }) => as));
  const agents = new Set<AgentName>();
  const orgs = new Set<OrgName>();
  const types = new Set<TypeName>();
  for (const command of commands) {
    if (command.do === 'create') types.add(command.type);
    if (command.do === 'create' && command.principal) agents.add(command.principal);
    if (
      (command.do === 'create' || command.do === 'take') &&
      command.performer &&
      command.performer !== 'unknown'
    )
      agents.add(command.performer);
  }
  for (const { agent, org } of [...actors].map(actorOf)) {
    if (agent) agents.add(agent);
    if (org) orgs.add(org);
  }
  for (const agent of agents) orgs.add(AGENTS[agent]);
  return [
    ...[...orgs]
      .sort()
      .flatMap((org) => [
        `need "$PLATFORM_KEY" POST /v1/admin/orgs '{"name":"Walk ${org}","bootstrapAdmin":true}'; org_${org}=$(member id) admin_${org}=$(member apiKey)`,
        ...(org === 'c'
          ? []
          : [...types].map(
              (type) => `need "$admin_${org}" POST /v1/schemas ${quoted(registrationOf(type))}`,
            )),
      ]),
    ...[...agents].map(
      (agent) =>
        `need "$admin_${AGENTS[agent]}" POST /v1/admin/agents ${quoted({ name: agent, orgId: `@org.${AGENTS[agent]}@` })}; agent_${agent}=$(member id)`,
    ),
    ...[...actors].flatMap((as) => {
      const { agent, org, readsOnly } = actorOf(as);
      const scopeProfile = readsOnly ? 'agent-readonly' : 'agent-full';
      return agent
        ? [
            `need "$admin_${org}" POST /v1/admin/api-keys ${quoted({ role: 'agent', ownerType: 'agent', ownerId: `@agent.${agent}@`, scopeProfile, label: as })}; ${variable(as)}=$(member apiKey)`,
          ]
        : [];
    }),
  ];
};

const step = (command: Command, number: number): readonly string[] => {
  const { method, path, body } = requestOf(command);
  return [
    ...(command.do === 'wait' ? ['sleep 3'] : []),
    `call "${keyOf(command.as)}" ${method} "${path.replaceAll(/@([a-z0-9.-]+)@/g, (_whole, name: string) => variableOf(name))}"${body === undefined ? '' : ` ${quoted(body)}`}`,
    ...(command.do === 'create'
      ? [`${command.label}=$(member id)`]
      : command.do === 'submit'
        ? [`[ "$status" -ge 300 ] || ${command.on}_completion=$(member id)`]
        : []),
    `show ${number}`,
  ];
};

const recordsOf = (commands: readonly Command[]): readonly string[] =>
  commands.flatMap((command) =>
    command.do === 'create'
      ? [
          `[ -z "$${command.label}" ] || { call "$PLATFORM_KEY" GET "/v1/records/$${command.label}/audit-export"; echo "$body"; }`,
        ]
      : [],
  );

const keyOf = (as: ActorName): string =>
  as === 'nobody' ? '' : as === 'platform' ? '$PLATFORM_KEY' : `$${variable(as)}`;
const variable = (name: string): string => name.replaceAll(/[.-]/g, '_');
const variableOf = (name: string): string =>
  name === 'soon'
    ? `$(date -u -d '+2 seconds' +%Y-%m-%dT%H:%M:%SZ)`
    : name.endsWith('.completion')
      ? `\${${variable(name)}:-${UNKNOWN_ID}}`
      : `\${${variable(name)}}`;

/** JSON in single quotes, which are left where a variable stands. */
const quoted = (body: Record<string, unknown>): string =>
  `'${JSON.stringify(body)
    .replaceAll("'", String.raw`'\''`)
    .replaceAll(/@([a-z0-9.-]+)@/g, (_whole, name: string) => `'"${variableOf(name)}"'`)}'`;
