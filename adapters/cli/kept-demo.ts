import { join } from 'node:path';
import type { DemoPlace } from './demo-place.ts';
import type { DemoTour } from './demo-tour.ts';

/** A service that a demo left running, and all that is needed to play with it. */
export interface KeptDemo {
  readonly url: string;
  /** Of the service; SIGTERM ends it. */
  readonly pid: number;
  readonly directory: string;
  /** 64 hexadecimal digits. */
  readonly signingKeyFingerprint: string;
  readonly platformKey: string;
  /** With which the console attacks the database of this demo. */
  readonly attackToken: string;
  readonly orgId: string;
  readonly adminKey: string;
  readonly planner: KeptAgent;
  readonly builder: KeptAgent;
  /** A build that went through its gate. */
  readonly fulfilledRecordId: string;
  /** A build that waits for the builder. */
  readonly proposedRecordId: string;
}

interface KeptAgent {
  readonly agentId: string;
  readonly apiKey: string;
}

export const keptDemo = (tour: DemoTour, place: DemoPlace, pid: number): KeptDemo => {
  const { seen, service } = tour;
  return {
    url: service.url,
    pid,
    directory: place.directory,
    signingKeyFingerprint: seen.fingerprint,
    platformKey: seen.platformKey,
    attackToken: service.attackToken,
    orgId: seen.orgId,
    adminKey: seen.adminKey,
    planner: { agentId: seen.principalId, apiKey: seen.principalKey },
    builder: { agentId: seen.performerId, apiKey: seen.performerKey },
    fulfilledRecordId: seen.recordId,
    proposedRecordId: seen.proposedId,
  };
};

/** For a person; every command in it can be pasted as it stands. */
export const keptDemoText = (demo: KeptDemo, { directory, isTemporary }: DemoPlace): string => {
  const { url, planner, builder } = demo;
  const file = quoted(join(directory, 'export.json'));
  return `It runs on at ${url}. Stop it with

  kill ${demo.pid}

${
  isTemporary
    ? `which also removes its data, in ${directory}.`
    : `Its data stays in ${directory}. Once it is stopped, it starts again there with

  DATA_DIR=${quoted(join(directory, 'data'))} KEYS_DIR=${quoted(join(directory, 'keys'))} npm start`
}

Keys and ids to play with. The keys are shown this once:

  platform key  ${demo.platformKey}
  org Acme      ${demo.orgId}
    admin key   ${demo.adminKey}
  planner       ${planner.agentId}
    its key     ${planner.apiKey}
  builder       ${builder.agentId}
    its key     ${builder.apiKey}

The console shows all of it, and verifies it in the browser. Its page Attack changes the database:

  console       ${url}/console
    attack with ${demo.attackToken}

The planner notarizes a deployment:

  curl -sS ${url}/v1/records -H 'Authorization: Bearer ${planner.apiKey}' -H 'Content-Type: application/json' -d '{"type": "deployment", "criteria": {"service": "billing", "version": "2.4.1"}}'

The builder reads what was proposed to it; nextSteps in the answer says what it can do:

  curl -sS ${url}/v1/records/${demo.proposedRecordId} -H 'Authorization: Bearer ${builder.apiKey}'

The build that is done is exported, and verified without the service:

  curl -sS '${url}/v1/records/${demo.fulfilledRecordId}/audit-export?evidence=true' -H 'Authorization: Bearer ${planner.apiKey}' -o ${file}
  npx notary verify ${file} --keys sha256:${demo.signingKeyFingerprint}

`;
};

/** As one word of a POSIX shell. */
const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
