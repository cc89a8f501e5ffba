import { may, useSession } from '../session.ts';
import { useLoaded } from '../use-loaded.ts';
import { Id, Shown, Table, Time } from './parts.tsx';
import { Pager, useWalk } from './pager.tsx';

/** The agents that the key governs; of an agent its own. */
export const AgentsView = () => {
  const session = useSession();
  const { ownerId, ownerType } = session.caller;
  return (
    <>
      <h1>Agents</h1>
      {ownerType === 'agent' && ownerId !== null && (
        <p>
          This key is of the agent <Id view="agents" id={ownerId} name={session.caller.name} />.
        </p>
      )}
      {may(session, 'admin:keys') ? (
        <AgentList />
      ) : (
        <p>This key lists no agents. A record leads to those that took part in it.</p>
      )}
    </>
  );
};

const AgentList = () => {
  const { client } = useSession();
  const walk = useWalk();
  const loaded = useLoaded(
    (signal) =>
      client.request(
        'get',
        '/v1/admin/agents',
        { query: { limit: 25, ...(walk.cursor ? { cursor: walk.cursor } : {}) } },
        { signal },
      ),
    [walk.cursor],
  );
  return (
    <>
      <Shown of={loaded} name="the agents">
        {(page) => (
          <Table name="Agents" heads={['Agent', 'Id', 'Since', 'State']}>
            {page.data.map((one) => (
              <tr key={one.id}>
                <td>
                  <Id view="agents" id={one.id} name={one.displayName} />
                </td>
                <td>
                  <code>{one.id}</code>
                </td>
                <td>
                  <Time at={one.createdAt} />
                </td>
                <td>{one.deactivatedAt === null ? 'active' : 'deactivated'}</td>
              </tr>
            ))}
          </Table>
        )}
      </Shown>
      <Pager walk={walk} of={loaded} />
    </>
  );
};
