import { useState } from 'preact/hooks';
import { useSession } from '../session.ts';
import { useLoaded } from '../use-loaded.ts';
import { Id, Shown, Table, Time } from './parts.tsx';
import { Pager, useWalk } from './pager.tsx';

const CHOICES = { '': 'all', open: 'open', ended: 'ended' } as const;

/** The disputes that the key may read. */
export const DisputesView = () => {
  const { client } = useSession();
  const [status, setStatus] = useState<keyof typeof CHOICES>('open');
  const walk = useWalk();
  const loaded = useLoaded(
    (signal) =>
      client.request(
        'get',
        '/v1/disputes',
        {
          query: {
            limit: 25,
            ...(status === '' ? {} : { status }),
            ...(walk.cursor ? { cursor: walk.cursor } : {}),
          },
        },
        { signal },
      ),
    [status, walk.cursor],
  );
  return (
    <>
      <h1>Disputes</h1>
      <div class="field">
        <label for="which">Which</label>
        <select
          id="which"
          value={status}
          onChange={({ currentTarget }) => {
            walk.restart();
            setStatus(currentTarget.value as keyof typeof CHOICES);
          }}
        >
          {Object.entries(CHOICES).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <Shown of={loaded} name="the disputes">
        {(page) => (
          <>
            {page.data.length === 0 ? (
              <p role="status">There is no such dispute.</p>
            ) : (
              <Table
                name="Disputes"
                heads={['Record', 'Phase', 'Opened', 'Deadline', 'Outcome', 'Evidence']}
              >
                {page.data.map((one) => (
                  <tr key={one.id}>
                    <td>
                      <Id view="records" id={one.recordId} />
                    </td>
                    <td>
                      {one.phase}, tier {one.tier}
                    </td>
                    <td>
                      <Time at={one.openedAt} /> by the {one.initiatorRole}
                    </td>
                    <td>
                      <Time at={one.phaseDeadline} />
                    </td>
                    <td>{one.outcome ?? 'open'}</td>
                    <td>{one.evidence.length}</td>
                  </tr>
                ))}
              </Table>
            )}
          </>
        )}
      </Shown>
      <Pager walk={walk} of={loaded} />
    </>
  );
};
