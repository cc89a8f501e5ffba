import { useEffect, useState } from 'preact/hooks';

/** What the address names behind its `#`; ids alone, so no key and no content ever stands in it. */
export interface Place {
  readonly view: 'records' | 'disputes' | 'agents' | 'health' | 'attack';
  readonly id: string | null;
}

const VIEWS: readonly Place['view'][] = ['records', 'disputes', 'agents', 'health', 'attack'];
const START: Place = { view: 'records', id: null };

/** What is no place of the console is its start. */
export const placeOf = (hash: string): Place => {
  const [, name, id] = /^#\/([a-z]+)(?:\/([0-9a-f-]{36}))?$/.exec(hash) ?? [];
  const view = VIEWS.find((one) => one === name);
  return view ? { view, id: id ?? null } : START;
};

export const linkTo = (view: Place['view'], id?: string): string =>
  id === undefined ? `#/${view}` : `#/${view}/${id}`;

/** @param attacks the service is that of a demo; any other has no such view. */
export const usePlace = (attacks: boolean): Place => {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  useEffect(() => {
    const follow = (): void => setPlace(placeOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place.view === 'attack' && !attacks ? START : place;
};
