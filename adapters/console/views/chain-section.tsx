import { useMemo, useState } from 'preact/hooks';
import type { NotaryRecord } from '../../client/shapes.ts';
import { faultOfPins } from '../fault-of-pins.ts';
import { loadVerifier } from '../load-part.ts';
import { useSession } from '../session.ts';
import { useLoaded } from '../use-loaded.ts';
import type { Examined } from '../verifier.ts';
import { ChainTable } from './chain-table.tsx';
import { Nodes } from './nodes.tsx';
import { Shown } from './parts.tsx';

interface ChainSectionProps {
  /** What the service says of it. */
  readonly record: NotaryRecord;
  readAgain(): void;
}

/** The signed chain of a record, fetched as an auditor would, and verified in this browser. */
export const ChainSection = ({ record, readAgain }: ChainSectionProps) => {
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
        {(bytes) => (
          <ExaminedChain key={pins} bytes={bytes} record={record} readAgain={readAgain} />
        )}
      </Shown>
    </section>
  );
};

interface ExaminedChainProps extends ChainSectionProps {
  readonly bytes: Uint8Array;
}

const ExaminedChain = ({ bytes, record, readAgain }: ExaminedChainProps) => {
  const { client, pins } = useSession();
  const examined = useLoaded(
    async (signal) => {
      const verifier = await loadVerifier();
      const found = await verifier.examine(bytes, pins);
      const differences = verifier.differencesOf(found.report, bytes, record);
      // The record came first: if it moved on before its chain came, nothing contradicts anything.
      const isMoved =
        differences.length > 0 &&
        (await client.records.get(record.id, { signal })).version !== record.version;
      return { found, differences, isMoved };
    },
    [bytes, pins],
  );
  return (
    <Shown of={examined} name="and verifying it">
      {(outcome) => <Findings {...outcome} readAgain={readAgain} />}
    </Shown>
  );
};

interface FindingsProps extends Pick<ChainSectionProps, 'readAgain'> {
  readonly found: Examined;
  readonly differences: readonly string[];
  /** The record was changed between the two answers that differ. */
  readonly isMoved: boolean;
}

const Findings = ({ found, differences, isMoved, readAgain }: FindingsProps) => {
  const above = useMemo(() => [found.verdict], [found]);
  const below = useMemo(() => [found.story, found.lifecycle, found.checks], [found]);
  return (
    <div id="examined" data-verdict={found.report.verdict}>
      <Nodes nodes={above} />
      <p id="trust-basis">{trustBasisOf(found)}</p>
      {isMoved && (
        <p class="note" role="status">
          The record was changed while it was read. Where they differ still when it is read again,
          somebody contradicts the chain.{' '}
          <button type="button" class="plain" onClick={readAgain}>
            Read it again
          </button>
        </p>
      )}
      {differences.map((text) => (
        <p class={isMoved ? 'note' : 'failed'} role={isMoved ? undefined : 'alert'} key={text}>
          {isMoved ? '?' : '✗'} {text}
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

const TrustForm = () => {
  const { pins, trust } = useSession();
  const [text, setText] = useState(pins);
  const [fault, setFault] = useState('');
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        const wrong = faultOfPins(text);
        setFault(wrong);
        if (wrong === '') trust(text.trim());
      }}
    >
      <label for="pin">The fingerprint of the signing key that you trust</label>
      <input
        id="pin"
        type="text"
        value={text}
        autocomplete="off"
        spellcheck={false}
        aria-describedby="pin-fault"
        aria-invalid={fault !== ''}
        onInput={(event) => setText(event.currentTarget.value)}
      />{' '}
      <button type="submit" class="plain">
        Verify under it
      </button>
      <span class="hint failed" id="pin-fault" role="alert">
        {fault}
      </span>
    </form>
  );
};
