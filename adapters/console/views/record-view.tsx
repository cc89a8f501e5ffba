import { useState } from 'preact/hooks';
import type { NotaryRecord } from '../../client/shapes.ts';
import { may, useSession } from '../session.ts';
import { useLoaded } from '../use-loaded.ts';
import { ChainSection } from './chain-section.tsx';
import { DisputeSection } from './dispute-section.tsx';
import { Id, jsonText, Shown, Status, Time } from './parts.tsx';
import { StepsSection } from './steps-section.tsx';
import { TreeSection } from './tree-section.tsx';

/** One record: what the service says of it, and below that what its signed chain says. */
export const RecordView = ({ id }: { readonly id: string }) => {
  const session = useSession();
  const { client } = session;
  const [done, setDone] = useState<readonly string[]>([]);
  const [turn, setTurn] = useState(0);
  const loaded = useLoaded((signal) => client.records.get(id, { signal }), [id, done.length, turn]);
  return (
    <>
      <h1>
        Record <code>{id}</code>
      </h1>
      <p role="status">{done.at(-1)}</p>
      <Shown of={loaded} name="the record">
        {(record) => (
          <>
            <Facts record={record} />
            <StepsSection record={record} onDone={(words) => setDone([...done, words])} />
            {may(session, 'audit:read') ? (
              <ChainSection record={record} readAgain={() => setTurn(turn + 1)} />
            ) : (
              <p class="note">
                This key may not export the chain (<code>audit:read</code>), so nothing of this
                record can be verified here.
              </p>
            )}
            <TreeSection id={id} />
            {record.disputeCount > 0 && may(session, 'disputes:read') && <DisputeSection id={id} />}
          </>
        )}
      </Shown>
    </>
  );
};

const Facts = ({ record }: { readonly record: NotaryRecord }) => (
  <section aria-labelledby="facts-title">
    <h2 id="facts-title">What the service says</h2>
    <dl>
      <dt>Status</dt>
      <dd>
        <Status status={record.status} />
        {record.awaiting && <span> · waits for the {record.awaiting}</span>}
        {record.disputed && <span class="failed"> · disputed</span>}
      </dd>
      <dt>Type</dt>
      <dd>
        {record.type}, version {record.contractVersion}, of “{record.publisher}”
      </dd>
      <dt>Principal</dt>
      <dd>
        <Id view="agents" id={record.principalAgentId} whole />
      </dd>
      <dt>Performer</dt>
      <dd>
        <Id view="agents" id={record.performerAgentId} whole />
      </dd>
      {record.parentRecordId && (
        <>
          <dt>Part of</dt>
          <dd>
            <Id view="records" id={record.parentRecordId} whole />
          </dd>
        </>
      )}
      <dt>Created</dt>
      <dd>
        <Time at={record.createdAt} />
      </dd>
      {record.expiresAt && (
        <>
          <dt>Expires</dt>
          <dd>
            <Time at={record.expiresAt} />
          </dd>
        </>
      )}
      <dt>Next</dt>
      <dd>
        {record.nextActions.length === 0
          ? 'nothing that this key may do'
          : `this key may: ${record.nextActions.join(', ')}`}
      </dd>
    </dl>
    <details>
      <summary>Criteria</summary>
      <pre tabindex={0} aria-label="Criteria" dir="ltr">
        {jsonText(record.criteria)}
      </pre>
    </details>
  </section>
);
