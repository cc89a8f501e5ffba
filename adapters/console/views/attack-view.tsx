import { useEffect, useState } from 'preact/hooks';
import { attackDoor, AttackRefusal, type AttackDoor, type NamedAttack } from '../attack-client.ts';
import { sentenceOf } from '../sentence-of.ts';
import { may, useSession } from '../session.ts';
import { hold, settled, WITNESSES, type Held, type Noticed } from '../witnesses.ts';
import { Table } from './parts.tsx';

/** In a demo alone: its database is changed in front of the reader, and each who could notice is asked. */
export const AttackView = ({ base }: { readonly base: string }) => {
  const session = useSession();
  const [door, setDoor] = useState<AttackDoor | null>(null);
  const [attacks, setAttacks] = useState<readonly NamedAttack[]>([]);
  const [fault, setFault] = useState('');
  const open = async (token: string): Promise<void> => {
    setFault('');
    try {
      const opened = attackDoor(base, token);
      setAttacks(await opened.list());
      setDoor(opened);
    } catch (error) {
      setFault(wordsOf(error));
    }
  };
  return (
    <>
      <h1>Attack</h1>
      <p>
        This is the service of a demo. Choose a way to change its database behind its back, as
        somebody would who can write it and does not hold the signing key. Then everybody who could
        notice is asked.
      </p>
      {!may(session, 'admin:system') ? (
        <p class="note">Sign in with the platform key of the demo: a scan takes it.</p>
      ) : door ? (
        <Bench door={door} attacks={attacks} />
      ) : (
        <form
          class="field"
          onSubmit={(event) => {
            event.preventDefault();
            void open(String(new FormData(event.currentTarget).get('token')).trim());
          }}
        >
          <label for="token">The attack token that the demo printed</label>
          <input
            id="token"
            name="token"
            type="password"
            autocomplete="off"
            required
            aria-describedby="token-fault"
          />
          <span class="hint failed" id="token-fault" role="alert">
            {fault}
          </span>
          <p>
            <button type="submit">Open</button>
          </p>
        </form>
      )}
    </>
  );
};

interface BenchProps {
  readonly door: AttackDoor;
  readonly attacks: readonly NamedAttack[];
}

interface Told extends Noticed {
  readonly name: string;
  readonly afterMs: number;
}

interface Run {
  readonly title: string;
  readonly changed: string;
  readonly told: readonly Told[];
  readonly isOver: boolean;
  /** Somebody put the database back while they looked. */
  readonly isUndone: boolean;
}

const Bench = ({ door, attacks }: BenchProps) => {
  const { client, pins } = useSession();
  const [recordId, setRecordId] = useState('');
  const [name, setName] = useState(attacks[0]?.name ?? '');
  const [run, setRun] = useState<Run | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const [fault, setFault] = useState('');

  // Who leaves, or signs out, asks nothing more with this key.
  const [left] = useState(() => new AbortController());
  useEffect(() => () => left.abort(), []);

  const guarded = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setSaid('');
    setFault('');
    try {
      await act();
    } catch (error) {
      if (left.signal.aborted) return;
      setFault(wordsOf(error));
    }
    setBusy(false);
  };

  const attack = (): Promise<void> =>
    guarded(async () => {
      const { title } = attacks.find((one) => one.name === name)!;
      const id = recordId.trim() || (await anyFulfilled());
      setRecordId(id);
      setRun(null);
      const { signal } = left;
      const held: Held = await hold(client, id, signal);
      const { changed, number } = await door.run(name, id);
      const begun = performance.now();
      let now: Run = { title, changed, told: [], isOver: false, isUndone: false };
      setRun(now);
      for (const witness of WITNESSES) {
        signal.throwIfAborted();
        const seen = await witness.look({ client, recordId: id, pins, held, signal });
        const afterMs = Math.round(performance.now() - begun);
        now = { ...now, told: [...now.told, { ...seen, name: witness.name, afterMs }] };
        setRun(now);
      }
      setRun({ ...now, isOver: true, isUndone: (await door.standing()) !== number });
    });

  const restore = (): Promise<void> =>
    guarded(async () => {
      await door.restore();
      await settled(client, left.signal);
      setRun(null);
      setSaid('The database is as it was before the attack.');
    });

  const anyFulfilled = async (): Promise<string> => {
    const { data } = await client.request('get', '/v1/records', {
      query: { status: 'FULFILLED', limit: 1 },
    });
    if (!data[0]) throw new AttackRefusal('There is no fulfilled record. Name the id of one.');
    return data[0].id;
  };

  return (
    <>
      {pins === '' && (
        <p class="note">
          You gave no fingerprint when you signed in, so an auditor here cannot tell. The demo
          printed it.
        </p>
      )}
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void attack();
        }}
      >
        <div>
          <label for="attack">The attack</label>
          <select id="attack" value={name} onChange={(event) => setName(event.currentTarget.value)}>
            {attacks.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label for="victim">The record, by id (empty: one that is fulfilled)</label>
          <input
            id="victim"
            type="text"
            value={recordId}
            spellcheck={false}
            onInput={(event) => setRecordId(event.currentTarget.value)}
          />
        </div>
        <button type="submit" disabled={isBusy}>
          Attack
        </button>
        <button type="button" class="plain" disabled={isBusy} onClick={() => void restore()}>
          Put the database back
        </button>
      </form>
      <p role="status">{said}</p>
      <p role="alert" class="failed">
        {fault}
      </p>
      {run && <Outcome run={run} />}
    </>
  );
};

const Outcome = ({ run: { title, changed, told, isOver, isUndone } }: { readonly run: Run }) => (
  <section aria-labelledby="outcome-title" id="attack-outcome" data-over={String(isOver)}>
    <h2 id="outcome-title">{title}</h2>
    <p>{changed}</p>
    <Table name="Who noticed" heads={['Who', 'Noticed', 'After', 'What the evidence says']}>
      {told.map((one) => (
        <tr key={one.name} data-noticed={String(one.noticed)}>
          <th scope="row">{one.name}</th>
          <td class={one.noticed ? 'passed' : 'skipped'}>
            {one.noticed === null ? '? cannot tell' : one.noticed ? '✓ noticed' : '– did not'}
          </td>
          <td>{one.afterMs} ms</td>
          <td>{one.evidence}</td>
        </tr>
      ))}
    </Table>
    {isOver && <p class="note">{lastWord(told, isUndone)}</p>}
  </section>
);

const lastWord = (told: readonly Told[], isUndone: boolean): string => {
  if (isUndone)
    return 'Somebody put the database back while they looked, so this table says nothing of the attack.';
  const next = 'Put the database back before the next attack.';
  return told.some(({ noticed }) => noticed)
    ? `Who did not notice had nothing to hold it against. ${next}`
    : `Nobody noticed: nothing that was asked here rests on what was changed. ${next}`;
};

const wordsOf = (error: unknown): string =>
  error instanceof AttackRefusal ? error.message : sentenceOf(error);
