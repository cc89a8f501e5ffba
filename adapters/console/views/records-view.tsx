import { useState } from 'preact/hooks';
import type { QueryOf } from '../../client/shapes.ts';
import { STATUSES } from '../../../domain/record/record-status.ts';
import { useSession } from '../session.ts';
import { useLoaded } from '../use-loaded.ts';
import { Id, Shown, Status, Table, Time } from './parts.tsx';
import { Pager, useWalk } from './pager.tsx';

type Query = NonNullable<QueryOf<'get', '/v1/records'>>;

/** The records that the key may read, newest first, by cursors: it costs the same among a million of them. */
export const RecordsView = () => {
  const { client } = useSession();
  const [filters, setFilters] = useState<Query>({});
  const walk = useWalk();
  const loaded = useLoaded(
    (signal) =>
      client.request(
        'get',
        '/v1/records',
        { query: { ...filters, limit: 25, ...(walk.cursor ? { cursor: walk.cursor } : {}) } },
        { signal },
      ),
    [filters, walk.cursor],
  );
  return (
    <>
      <h1>Records</h1>
      <Filters
        onChosen={(chosen) => {
          walk.restart();
          setFilters(chosen);
        }}
      />
      <Shown of={loaded} name="the records">
        {(page) => (
          <>
            {page.data.length === 0 ? (
              <p role="status">There is no such record, or none that this key may read.</p>
            ) : (
              <Table
                name="Records"
                heads={['Record', 'Type', 'Status', 'Performer', 'Created', 'Changed']}
              >
                {page.data.map((one) => (
                  <tr key={one.id}>
                    <td>
                      <Id view="records" id={one.id} />
                    </td>
                    <td>{one.type}</td>
                    <td>
                      <Status status={one.status} />
                      {one.disputed && <span class="failed"> disputed</span>}
                    </td>
                    <td>
                      <Id view="agents" id={one.performerAgentId} />
                    </td>
                    <td>
                      <Time at={one.createdAt} />
                    </td>
                    <td>
                      <Time at={one.updatedAt} />
                    </td>
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

const Filters = ({ onChosen }: { onChosen(query: Query): void }) => (
  <form
    class="filters"
    role="search"
    aria-label="Filters of the records"
    onSubmit={(event) => {
      event.preventDefault();
      onChosen(chosenIn(event.currentTarget));
    }}
  >
    <div>
      <label for="q">Id or reference, its beginning</label>
      <input id="q" name="q" type="search" maxlength={256} spellcheck={false} />
    </div>
    <div>
      <label for="type">Type</label>
      <input id="type" name="type" type="text" spellcheck={false} />
    </div>
    <div>
      <label for="status">Status</label>
      <select id="status" name="status">
        <option value="">any</option>
        {STATUSES.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </select>
    </div>
    <div>
      <label for="performerAgentId">Performer, by id</label>
      <input id="performerAgentId" name="performerAgentId" type="text" spellcheck={false} />
    </div>
    <div>
      <label for="disputed">Disputed</label>
      <select id="disputed" name="disputed">
        <option value="">either</option>
        <option value="true">yes</option>
        <option value="false">no</option>
      </select>
    </div>
    <div>
      <label for="sort">Order</label>
      <select id="sort" name="sort">
        <option value="">newest first</option>
        <option value="createdAt">oldest first</option>
        <option value="-updatedAt">changed last first</option>
      </select>
    </div>
    <button type="submit">Show</button>
  </form>
);

/** As the service takes them; what is wrong with one, it says in a sentence. */
const chosenIn = (form: HTMLFormElement): Query =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
    ),
  );
