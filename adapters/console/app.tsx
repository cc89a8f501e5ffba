import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { linkTo, usePlace, type Place } from './route.ts';
import { may, SessionProvider, type Session } from './session.ts';
import { useIdleEnd } from './use-idle-end.ts';
import { AgentView } from './views/agent-view.tsx';
import { AgentsView } from './views/agents-view.tsx';
import { AttackView } from './views/attack-view.tsx';
import { DisputesView } from './views/disputes-view.tsx';
import { HealthView } from './views/health-view.tsx';
import { RecordView } from './views/record-view.tsx';
import { RecordsView } from './views/records-view.tsx';
import { SignIn } from './views/sign-in.tsx';

/** @param attacks the service is that of a demo, and lets its database be attacked. */
export const App = ({ base, attacks }: { readonly base: string; readonly attacks: boolean }) => {
  const [signed, setSigned] = useState<Pick<Session, 'client' | 'caller'> | null>(null);
  const [pins, setPins] = useState('');
  const [why, setWhy] = useState('');
  const [isBack, setBack] = useState(false);
  const signOut = useCallback((sentence = '') => {
    setSigned(null);
    setPins('');
    setWhy(sentence);
    setBack(true);
  }, []);
  useIdleEnd(signed !== null, signOut);
  if (!signed)
    return (
      <SignIn
        base={base}
        why={why}
        isBack={isBack}
        onSigned={(session, fingerprints) => {
          setPins(fingerprints);
          setSigned(session);
        }}
      />
    );
  return (
    <SessionProvider value={{ ...signed, pins, trust: setPins, signOut }}>
      <Frame session={{ ...signed, pins, trust: setPins, signOut }} attacks={attacks} base={base} />
    </SessionProvider>
  );
};

interface FrameProps {
  readonly session: Session;
  readonly attacks: boolean;
  readonly base: string;
}

const Frame = ({ session, attacks, base }: FrameProps) => {
  const place = usePlace(attacks);
  const main = useRef<HTMLElement>(null);
  // Whoever follows a link by keyboard or ear goes on where the new view begins.
  useEffect(() => {
    document.title = `${titleOf(place)} · Console`;
    main.current?.focus();
  }, [place.view, place.id]);
  const { caller } = session;
  return (
    <>
      <a class="skip" href="#main" onClick={skipTo(main)}>
        To the content
      </a>
      <header class="bar">
        <nav aria-label="Console">
          <Tab view="records" place={place}>
            Records
          </Tab>
          {may(session, 'disputes:read') && (
            <Tab view="disputes" place={place}>
              Disputes
            </Tab>
          )}
          {may(session, 'agents:read') && (
            <Tab view="agents" place={place}>
              Agents
            </Tab>
          )}
          <Tab view="health" place={place}>
            Health
          </Tab>
          {attacks && (
            <Tab view="attack" place={place}>
              Attack
            </Tab>
          )}
        </nav>
        <p>
          <span class="who">
            {caller.name} <span class="muted">({caller.role})</span>
          </span>{' '}
          <button type="button" class="plain" onClick={() => session.signOut()}>
            Sign out
          </button>
        </p>
      </header>
      <main id="main" ref={main} tabindex={-1}>
        <Content place={place} base={base} />
      </main>
    </>
  );
};

const TITLES = {
  records: ['Records', 'Record'],
  disputes: ['Disputes', 'Disputes'],
  agents: ['Agents', 'Agent'],
  health: ['Health', 'Health'],
  attack: ['Attack', 'Attack'],
} as const;

/** Nothing of what is stored is in a title: a browser keeps those. */
const titleOf = ({ view, id }: Place): string => TITLES[view][id === null ? 0 : 1];

/** A fragment is a place of the console, so the browser does not follow this one. */
const skipTo = (main: { readonly current: HTMLElement | null }) => (event: Event) => {
  event.preventDefault();
  main.current?.focus();
};

interface TabProps {
  readonly view: Place['view'];
  readonly place: Place;
  readonly children: ComponentChildren;
}

const Tab = ({ view, place, children }: TabProps) => (
  <a href={linkTo(view)} aria-current={place.view === view ? 'page' : undefined}>
    {children}
  </a>
);

interface ContentProps {
  readonly place: Place;
  readonly base: string;
}

const Content = ({ place: { view, id }, base }: ContentProps) => {
  if (view === 'disputes') return <DisputesView />;
  if (view === 'agents') return id === null ? <AgentsView /> : <AgentView key={id} id={id} />;
  if (view === 'health') return <HealthView />;
  if (view === 'attack') return <AttackView base={base} />;
  return view === 'records' && id !== null ? <RecordView key={id} id={id} /> : <RecordsView />;
};
