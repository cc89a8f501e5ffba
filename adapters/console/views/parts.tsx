import type { ComponentChildren } from 'preact';
import { linkTo, type Place } from '../route.ts';
import { Guarded } from './guarded.tsx';
import type { Loaded } from '../use-loaded.ts';

interface ShownProps<T> {
  readonly of: Loaded<T>;
  /** What is being read, as in "Reading the records…". */
  readonly name: string;
  children(value: T): ComponentChildren;
}

/** What was loaded, or that it is on its way, or why it is not there. */
export const Shown = <T,>({ of, name, children }: ShownProps<T>) => {
  if (of.state === 'loading') return <p role="status">Reading {name}…</p>;
  if (of.state === 'failed')
    return (
      <p role="alert" class="failed">
        {of.sentence}
      </p>
    );
  return (
    <Guarded of={of} name={name}>
      <Value value={of.value}>{children}</Value>
    </Guarded>
  );
};

interface ValueProps<T> {
  readonly value: T;
  children(value: T): ComponentChildren;
}

const Value = <T,>({ value, children }: ValueProps<T>) => <>{children(value)}</>;

interface TableProps {
  readonly name: string;
  readonly heads: readonly string[];
  /** Its rows. */
  readonly children: ComponentChildren;
}

/** A table that scrolls by itself where the screen is narrow, also by keyboard. */
export const Table = ({ name, heads, children }: TableProps) => (
  <table tabindex={0} aria-label={`${name}, scrolls sideways`}>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

/** An instant, to the second. */
export const Time = ({ at }: { readonly at: string | null }) =>
  at === null ? (
    <span class="muted">–</span>
  ) : (
    <time datetime={at}>{at.replace('T', ' ').replace(/(\.\d+)?Z$/, 'Z')}</time>
  );

interface IdProps {
  readonly view: Extract<Place['view'], 'records' | 'agents'>;
  readonly id: string | null;
  /** In the place of the beginning of the id. */
  readonly name?: string;
  readonly whole?: boolean;
}

/** An id as a link to what it names. */
export const Id = ({ view, id, name, whole = false }: IdProps) =>
  id === null ? (
    <span class="muted">nobody</span>
  ) : (
    <a href={linkTo(view, id)} title={id}>
      <code>{name ?? (whole ? id : `${id.slice(0, 8)}…`)}</code>
    </a>
  );

export const Status = ({ status }: { readonly status: string }) => (
  <span class={`status ${TONES[status] ?? 'open'}`}>{status}</span>
);

const TONES: Readonly<Record<string, string>> = {
  RECORDED: 'good',
  FULFILLED: 'good',
  REMEDIATED: 'good',
  FAILED: 'bad',
  REJECTED: 'bad',
  EXPIRED: 'past',
  CANCELLED: 'past',
};

export const percent = (rate: number | null): string =>
  rate === null ? '–' : `${(rate * 100).toFixed(1)} %`;

export const duration = (ms: number | null): string => {
  if (ms === null) return '–';
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 7_200_000) return `${(ms / 60_000).toFixed(1)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
};

/** Text of a record may turn or hide characters around it: those are written out. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`,
  );
