import { useMemo, useState } from 'preact/hooks';
import type { NotaryRecord } from '../../client/shapes.ts';
import { loadVerifier } from '../load-part.ts';
import { useSession } from '../session.ts';
import { useLoaded } from '../use-loaded.ts';
import type { Examined } from '../verifier.ts';
import { ChainTable } from './chain-table.tsx';
import { Nodes } from './nodes.tsx';
import { Shown } from './parts.tsx';

/** The signed chain of a record, fetched as an auditor would, and verified in this browser. */
export const ChainSection = ({ record }: { readonly record: NotaryRecord }) => {
  const { client, pins } = useSession();
  const { id } = record;
  const exported = useLoaded(
    (signal) => client.export(id, { evidence: true }, { signal }),
    [id, record.version],
  );
  return (
    <section aria-labelledby="chain-title">
      <h2 id="chain-title">What its signed chain says</h2>
      <TrustForm />
      <Shown of={exported} name="the chain">
        {(bytes) => <ExaminedChain key={pins} bytes={bytes} record={record} />}
      </Shown>
    </section>
  );
};

interface ExaminedChainProps {
  readonly bytes: Uint8Array;
  readonly record: NotaryRecord;
}

const ExaminedChain = ({ bytes, record }: ExaminedChainProps) => {
  const { pins } = useSession();
  const examined = useLoaded(async () => {
    const verifier = await loadVerifier();
    try {
      return await verifier.examine(bytes, pins);
    } catch (error) {
      if (verifier.isPinError(error)) return error as Error;
      throw error;
    }
  }, [bytes, pins]);
  return (
    <Shown of={examined} name="and verifying it">
      {(found) =>
        found instanceof Error ? (
          <p role="alert" class="failed">
            {found.message}
          </p>
        ) : (
          <Findings found={found} record={record} />
        )
      }
    </Shown>
  );
};

const Findings = ({
  found,
  record,
}: {
  readonly found: Examined;
  readonly record: NotaryRecord;
}) => {
  const above = useMemo(() => [found.verdict], [found]);
  const below = useMemo(() => [found.story, found.lifecycle, found.checks], [found]);
  const differences = differencesOf(found, record);
  return (
    <div id="examined" data-verdict={found.report.verdict}>
      <Nodes nodes={above} />
      <p id="trust-basis">{trustBasisOf(found)}</p>
      {differences.map((text) => (
        <p class="failed" role="alert" key={text}>
          ✗ {text}
        </p>
      ))}
      <ChainTable entries={found.entries} report={found.report} />
      <Nodes nodes={below} />
    </div>
  );
};

/** On whose word the verdict rests, without a word more. */
const trustBasisOf = ({ report: { trust, story } }: Examined): string => {
  const keys = (story?.signedBy ?? [])
    .map(({ fingerprint, keyId }) => (fingerprint ? `sha256:${fingerprint}` : `key ${keyId}`))
    .join(', ');
  if (trust === 'out_of_band')
    return 'Trust: the fingerprint that you gave. What it vouches for holds whatever this service says.';
  return `Trust: none. Whether the entries fit together was checked under the key that came with them (${keys || 'none'}), and whoever made a false chain could have put it there. Give the fingerprint that you got by another way.`;
};

/** What the service answers beside the chain is not signed: it is held against what is. */
const differencesOf = ({ report }: Examined, record: NotaryRecord): readonly string[] => {
  const { subject, story } = report;
  const found: string[] = [];
  if (subject.chainKey !== null && subject.chainKey !== record.id)
    found.push(`The service gave the chain of another record, ${subject.chainKey}.`);
  if (story?.outcome && story.outcome.status !== record.status)
    found.push(
      `The service says ${record.status}, and its signed chain says ${story.outcome.status}. The chain counts.`,
    );
  return found;
};

const TrustForm = () => {
  const { pins, trust } = useSession();
  const [text, setText] = useState(pins);
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        trust(text.trim());
      }}
    >
      <label for="pin">The fingerprint of the key that you trust</label>
      <input
        id="pin"
        type="text"
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setText(event.currentTarget.value)}
      />{' '}
      <button type="submit" class="plain">
        Verify under it
      </button>
    </form>
  );
};
