import { useMemo } from 'preact/hooks';
import type { AnswerOf } from '../../client/shapes.ts';
import { may, useSession } from '../session.ts';
import { useLoaded } from '../use-loaded.ts';
import { DriftSection } from './drift-section.tsx';
import { duration, Id, percent, Shown, Status, Table, Time } from './parts.tsx';
import { Plot } from './plot.tsx';

/** What is known of an agent: its standing, how that came about, and how it changes. */
export const AgentView = ({ id }: { readonly id: string }) => {
  const session = useSession();
  const { client } = session;
  const agent = useLoaded((signal) => client.agents.get(id, { signal }), [id]);
  return (
    <>
      <Shown of={agent} name="the agent">
        {(value) => (
          <>
            <h1>{value.displayName}</h1>
            <dl>
              <dt>Id</dt>
              <dd>
                <code>{value.id}</code>
              </dd>
              <dt>Handles</dt>
              <dd>
                {value.capabilities.length > 0
                  ? value.capabilities.join(', ')
                  : 'says nothing of it'}
              </dd>
              <dt>Signs with</dt>
              <dd>
                {value.signingKeys.filter(({ revokedAt }) => revokedAt === null).length} keys of its
                own
              </dd>
            </dl>
          </>
        )}
      </Shown>
      {may(session, 'reputation:read') && <Reputation id={id} />}
      <History id={id} />
      {(may(session, 'drift:read') || session.caller.ownerId === id) && <DriftSection id={id} />}
    </>
  );
};

const Reputation = ({ id }: { readonly id: string }) => {
  const { client } = useSession();
  const loaded = useLoaded((signal) => client.agents.reputation(id, { signal }), [id]);
  return (
    <section aria-labelledby="reputation-title">
      <h2 id="reputation-title">Reputation</h2>
      <Shown of={loaded} name="its reputation">
        {(value) => (
          <Table
            name="Reputation"
            heads={[
              'Type',
              'Score',
              'Accepted',
              'Rejected',
              'Overturned',
              'Expired',
              'Rate',
              'Median time',
            ]}
          >
            {[{ ...value, type: 'all' }, ...value.byType].map((one) => (
              <tr key={one.type}>
                <th scope="row">{one.type}</th>
                <td>{one.score === null ? '–' : one.score.toFixed(3)}</td>
                <td>{one.accepted}</td>
                <td>{one.rejected}</td>
                <td>{one.overturned}</td>
                <td>{one.expired}</td>
                <td>{percent(one.acceptanceRate)}</td>
                <td>{duration(one.medianCompletionMs)}</td>
              </tr>
            ))}
          </Table>
        )}
      </Shown>
    </section>
  );
};

type Past = AnswerOf<'get', '/v1/agents/{agentId}/history'>['data'];

const History = ({ id }: { readonly id: string }) => {
  const { client } = useSession();
  const loaded = useLoaded(
    (signal) =>
      client.request(
        'get',
        '/v1/agents/{agentId}/history',
        { path: { agentId: id }, query: { limit: 200 } },
        { signal },
      ),
    [id],
  );
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">What it did</h2>
      <Shown of={loaded} name="its history">
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <p>Nothing that it performed is readable with this key.</p>
          ) : (
            <>
              <HistoryPlot data={data} />
              <p class="muted">
                {hasMore ? 'The newest 200 records; the newest 20 below.' : 'The newest 20:'}
              </p>
              <ul>
                {data.slice(0, 20).map((one) => (
                  <li key={one.recordId}>
                    <Id view="records" id={one.recordId} /> {one.type}: {one.outcome}{' '}
                    <Status status={one.status} /> <Time at={one.decidedAt ?? one.createdAt} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Shown>
    </section>
  );
};

/** The share of accepted work up to each decision. */
const HistoryPlot = ({ data }: { readonly data: Past }) => {
  const decided = useMemo(() => sharesOf(data), [data]);
  const plotted = useMemo(
    () => ({
      xs: decided.map(({ at }) => at),
      isTime: true,
      lines: [{ label: 'accepted', values: decided.map(({ share }) => share) }],
      format: (value: number) => `${Math.round(value * 100)} %`,
    }),
    [decided],
  );
  const last = decided.at(-1);
  if (!last) return null;
  return (
    <Plot
      title="Share of accepted work, up to each decision"
      plotted={plotted}
      words={`Share of accepted work over ${decided.length} decisions; at the last one ${percent(last.share)}`}
    />
  );
};

const DECIDED: readonly string[] = ['accepted', 'rejected', 'overturned'];

export const sharesOf = (
  data: Past,
): readonly { readonly at: number; readonly share: number }[] => {
  let accepted = 0;
  return data
    .flatMap(({ outcome, decidedAt }) =>
      decidedAt !== null && DECIDED.includes(outcome)
        ? [{ at: Date.parse(decidedAt) / 1_000, outcome }]
        : [],
    )
    .sort((a, b) => a.at - b.at)
    .map(({ at, outcome }, index) => {
      if (outcome === 'accepted') accepted++;
      return { at, share: accepted / (index + 1) };
    });
};
