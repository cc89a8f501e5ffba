import { useMemo } from 'preact/hooks';
import type { AnswerOf } from '../../client/shapes.ts';
import { useSession } from '../session.ts';
import { useLoaded } from '../use-loaded.ts';
import { duration, percent, Shown, Table } from './parts.tsx';
import { Plot } from './plot.tsx';

type Drift = AnswerOf<'get', '/v1/agents/{agentId}/drift'>;

/** In days, each against as many before it. */
const WINDOWS = [1, 7, 30, 90, 365] as const;

/** How an agent does now, against how it did before. */
export const DriftSection = ({ id }: { readonly id: string }) => {
  const { client } = useSession();
  const loaded = useLoaded(
    (signal) =>
      Promise.all(WINDOWS.map((window) => client.agents.drift(id, { window }, { signal }))),
    [id],
  );
  return (
    <section aria-labelledby="drift-title">
      <h2 id="drift-title">Drift</h2>
      <Shown of={loaded} name="its drift">
        {(drifts) => <Drifts drifts={drifts} />}
      </Shown>
    </section>
  );
};

const Drifts = ({ drifts }: { readonly drifts: readonly Drift[] }) => {
  const plotted = useMemo(
    () => ({
      xs: drifts.map(({ window }) => window.days),
      isTime: false,
      lines: [
        { label: 'now', values: drifts.map(({ overall }) => overall.current.acceptanceRate) },
        { label: 'before', values: drifts.map(({ overall }) => overall.baseline.acceptanceRate) },
      ],
      format: (value: number) => `${Math.round(value * 100)} %`,
    }),
    [drifts],
  );
  const hasRate = plotted.lines.some(({ values }) => values.some((value) => value !== null));
  return (
    <>
      {hasRate && (
        <Plot
          title="Share of accepted work by the length of the window, in days"
          plotted={plotted}
          words="Share of accepted work in windows of several lengths, now and before; the table below has the values"
        />
      )}
      <Table
        name="Drift"
        heads={[
          'Window',
          'Records now',
          'Records before',
          'Accepted now',
          'Accepted before',
          'Median time now',
          'Median time before',
        ]}
      >
        {drifts.map(({ window, overall: { current, baseline } }) => (
          <tr key={window.days}>
            <th scope="row">
              {window.days} {window.days === 1 ? 'day' : 'days'}
            </th>
            <td>{current.records}</td>
            <td>{baseline.records}</td>
            <td>{percent(current.acceptanceRate)}</td>
            <td>{percent(baseline.acceptanceRate)}</td>
            <td>{duration(current.medianCompletionMs)}</td>
            <td>{duration(baseline.medianCompletionMs)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
};
