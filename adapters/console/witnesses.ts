import type { NotaryClient } from '../client/notary-client.ts';
import { NotaryProblem } from '../client/notary-problem.ts';
import { loadVerifier } from './load-part.ts';
import type { Examined } from './verifier.ts';

/** What somebody held in hand before an attack: the export of a record, and the newest statement on its chain. */
export interface Held {
  readonly exported: Uint8Array;
  readonly statement: Uint8Array;
  readonly status: string;
}

export interface Noticed {
  /** Null where this one cannot tell. */
  readonly noticed: boolean | null;
  readonly evidence: string;
}

/** Somebody who may notice that a database was changed. */
export interface Witness {
  readonly name: string;
  look(asked: Looked): Promise<Noticed>;
}

export interface Looked {
  readonly client: NotaryClient;
  readonly recordId: string;
  /** Fingerprints that the reader trusts. */
  readonly pins: string;
  readonly held: Held;
  /** The reader went away. */
  readonly signal: AbortSignal;
}

const utf8 = new TextEncoder();

/** What an auditor would have kept, taken before anything is changed. */
export const hold = async (
  client: NotaryClient,
  recordId: string,
  signal: AbortSignal,
): Promise<Held> => {
  const [exported, record] = await Promise.all([
    client.export(recordId, { evidence: true }, { signal }),
    client.records.get(recordId, { signal }),
  ]);
  return {
    exported,
    statement: utf8.encode(JSON.stringify(record.signedStatement)),
    status: record.status,
  };
};

/** In the order in which they come along: a reader, who acts next, an auditor, a scan, and who kept something. */
export const WITNESSES: readonly Witness[] = [
  {
    name: 'Whoever reads the record',
    look: ({ client, recordId, held, signal }) =>
      orRefusal(async () => {
        const { status } = await client.records.get(recordId, { signal });
        return status === held.status
          ? quiet(`The service shows the record, ${status}, as before.`)
          : {
              noticed: false,
              evidence: `The service shows ${status}, in the place of ${held.status}. A row alone proves nothing, and this reader does not know.`,
            };
      }),
  },
  {
    name: 'The service, before it would sign anything on top of it (the head check)',
    look: ({ client, recordId, signal }) =>
      orRefusal(async () => {
        await client.export(recordId, { evidence: true }, { signal });
        return quiet('The service exports the chain: the row and the head agree.');
      }),
  },
  {
    name: 'An auditor with the export of now and the fingerprint',
    look: async ({ client, recordId, pins, signal }) => {
      const { examine } = await loadVerifier();
      try {
        const bytes = await client.export(recordId, { evidence: true }, { signal });
        return judged(await examine(bytes, pins));
      } catch (error) {
        if (!isFinding(error)) return refused(error);
        return { noticed: true, evidence: 'There is no export of now: the service refuses it.' };
      }
    },
  },
  {
    name: 'A scan of the whole vault',
    look: ({ client, signal }) => orRefusal(() => scanned(client, signal)),
  },
  {
    name: 'The service about itself (health and rewinds)',
    look: ({ client, signal }) =>
      orRefusal(async () => {
        const [summary, rewinds] = await Promise.all([
          client.request('get', '/v1/admin/ops-summary', {}, { signal }),
          client.request('get', '/v1/admin/vault/rewind', {}, { signal }),
        ]);
        const found = [
          ...summary.degradedReasons
            .filter(({ code }) => TOLD.includes(code))
            .map(({ code, detail }) => `${code}: ${detail}`),
          ...rewinds.data.map(
            ({ chainKey, finding, anchoredPosition, localPosition }) =>
              `${finding}: a checkpoint saw position ${anchoredPosition} of ${chainKey}, the database ends at ${localPosition}.`,
          ),
        ];
        return found.length > 0
          ? { noticed: true, evidence: found.join(' ') }
          : quiet('It reports nothing.');
      }),
  },
  {
    name: 'Whoever kept the statement that the service signed last',
    look: async ({ client, recordId, pins, held, signal }) => {
      const { examine } = await loadVerifier();
      let bytes: Uint8Array;
      try {
        bytes = await client.export(recordId, { evidence: true }, { signal });
      } catch (error) {
        if (!isFinding(error)) return refused(error);
        const { report } = await examine(held.exported, pins, [held.statement]);
        return {
          noticed: true,
          evidence: `No chain is shown against it. The export of before, with the statement in it, is still ${WORDS[report.verdict]}.`,
        };
      }
      const { report } = await examine(bytes, pins, [held.statement]);
      const [outcome] = report.kept;
      const evidence = `${outcome?.detail ?? 'The statement cannot be placed'}.`;
      return outcome?.result === 'passed'
        ? quiet(`The statement stands in the chain: ${evidence}`)
        : { noticed: outcome?.result === 'failed' ? true : null, evidence };
    },
  },
];

/** Of what a service says of itself, what an edit of the database brings. */
const TOLD: readonly string[] = ['row_tampered', 'event_hole', 'chain_rewound', 'anchor_missing'];
const WORDS = { valid: 'valid', invalid: 'invalid', cannot_tell: 'without a verdict' } as const;

const quiet = (evidence: string): Noticed => ({ noticed: false, evidence });

/** Of refusals, those by which the service says that what is stored is not what was signed. */
const isFinding = (error: unknown): boolean =>
  error instanceof NotaryProblem &&
  (error.code === 'CHAIN_REWIND_DETECTED' ||
    ['payload_drift', 'log_broken'].includes(error.document?.reason ?? ''));

const orRefusal = async (look: () => Promise<Noticed>): Promise<Noticed> => {
  try {
    return await look();
  } catch (error) {
    return refused(error);
  }
};

/** A refusal for want of a right, or of time, is no finding against anybody. */
const refused = (error: unknown): Noticed => {
  if (!(error instanceof NotaryProblem)) throw error;
  const { status, code, detail, document } = error;
  const reason = document?.reason ? `, ${document.reason}` : '';
  return {
    noticed: isFinding(error) ? true : null,
    evidence: `${status} ${code ?? ''}${reason}: ${detail}`,
  };
};

const judged = ({ report: { verdict, brokenAt }, why }: Examined): Noticed => {
  if (verdict === 'valid') return quiet('The export is valid under the fingerprint.');
  if (brokenAt)
    return {
      noticed: true,
      evidence: `${brokenAt.class} at position ${brokenAt.position ?? '?'}: ${brokenAt.detail}.`,
    };
  return { noticed: null, evidence: why ?? 'Nothing is proven.' };
};

/** Once the service finds the chains whole again, within seconds; until then it refuses to sign on them. */
export const settled = async (client: NotaryClient, signal: AbortSignal): Promise<void> => {
  for (let poll = 0; poll < 60; poll++) {
    const { vault } = await client.request('get', '/v1/admin/ops-summary', {}, { signal });
    if (vault.rewoundChains === 0) return;
    await pause();
  }
};

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

const POLL_MS = 250;
const POLLS = 240;

const scanned = async (client: NotaryClient, signal: AbortSignal): Promise<Noticed> => {
  const { jobId } = await client.request('post', '/v1/admin/vault/scan', {}, { signal });
  for (let poll = 0; poll < POLLS; poll++) {
    const { result, failure } = await client.request(
      'get',
      '/v1/admin/vault/scan/{jobId}',
      { path: { jobId } },
      { signal },
    );
    if (failure !== null) return { noticed: null, evidence: `The scan ended early: ${failure}` };
    if (result) {
      const [first] = result.brokenRecords;
      return first
        ? {
            noticed: true,
            evidence: `${result.broken} broken; ${first.class} of ${first.chainKey}${first.position === null ? '' : ` at position ${first.position}`}: ${first.detail}.`,
          }
        : quiet(`${result.entries} entries of ${result.chains} chains, and nothing is broken.`);
    }
    await pause();
  }
  return { noticed: null, evidence: 'The scan has not ended yet.' };
};
