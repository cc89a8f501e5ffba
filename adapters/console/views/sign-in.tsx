import { useEffect, useRef, useState } from 'preact/hooks';
import { faultOfPins } from '../fault-of-pins.ts';
import { sentenceOf } from '../sentence-of.ts';
import { signIn, type Session } from '../session.ts';

interface SignInProps {
  readonly base: string;
  /** Why the reader was signed out; empty where there is nothing to say. */
  readonly why: string;
  /** Somebody was signed in before. */
  readonly isBack: boolean;
  onSigned(session: Pick<Session, 'client' | 'caller'>, pins: string): void;
}

/** The key goes from the field into memory, and nowhere else. */
export const SignIn = ({ base, why, isBack, onSigned }: SignInProps) => {
  const main = useRef<HTMLElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    document.title = 'Console';
    if (isBack) main.current?.focus();
    // A browser may keep a page that was left, with what was typed into it.
    const leave = (): void => form.current?.reset();
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, []);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const [pinFault, setPinFault] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const typed = event.currentTarget as HTMLFormElement;
    const [key, pins] = ['key', 'pins'].map((name) => textOf(typed, name));
    setFault('');
    const wrong = faultOfPins(pins!);
    setPinFault(wrong);
    if (wrong !== '') return typed.querySelector<HTMLElement>('#pins')?.focus();
    setBusy(true);
    try {
      const session = await signIn(base, key!);
      typed.reset();
      onSigned(session, pins!);
    } catch (error) {
      setFault(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <main id="main" ref={main} tabindex={-1}>
      <h1>Console</h1>
      <p>
        What this notary holds, as far as your key may read it. Every record is verified here, in
        your browser.
      </p>
      {why !== '' && (
        <p role="status" class="note">
          {why}
        </p>
      )}
      <form class="sign-in" ref={form} onSubmit={(event) => void submit(event)} autocomplete="off">
        <div class="field">
          <label for="key">API key</label>
          <input
            id="key"
            name="key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            aria-describedby="key-hint key-fault"
            aria-invalid={fault !== ''}
          />
          <span class="hint" id="key-hint">
            It stays in the memory of this page: closing or reloading the page forgets it.
          </span>
          <span class="hint failed" id="key-fault" role="alert">
            {fault}
          </span>
        </div>
        <div class="field">
          <label for="pins">The fingerprint of the signing key that you trust (optional)</label>
          <input
            id="pins"
            name="pins"
            type="text"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            aria-describedby="pins-hint pins-fault"
            aria-invalid={pinFault !== ''}
          />
          <span class="hint" id="pins-hint">
            64 digits, such as sha256:9f86d081…, obtained by another way than this service. You can
            leave it empty and enter it later. Without it the console can tell whether a chain fits
            together, and not whose it is.
          </span>
          <span class="hint failed" id="pins-fault" role="alert">
            {pinFault === '' ? '' : `${pinFault} Or leave the field empty.`}
          </span>
        </div>
        <button type="submit" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
      <p>
        <a href="docs/guides/console">What the console shows</a> · <a href="docs">Documentation</a>
      </p>
    </main>
  );
};

const textOf = (form: HTMLFormElement, name: string): string => {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
};
