import { useRef, useState } from 'preact/hooks';
import type { NextStep, NotaryRecord } from '../../client/shapes.ts';
import { isRefusedKey, sentenceOf } from '../sentence-of.ts';
import { useSession } from '../session.ts';
import { bodyOf, formOf, StepInputError, type StepField, type StepForm } from '../step-forms.ts';

interface StepsProps {
  readonly record: NotaryRecord;
  /** @param words what was done */
  onDone(words: string): void;
}

/** What the service says that this key may do with the record now, each as a form. */
export const StepsSection = ({ record, onDone }: StepsProps) => {
  const steps = record.nextSteps.flatMap((step) => {
    const form = formOf(step, record);
    return form ? [{ step, form }] : [];
  });
  if (steps.length === 0) return null;
  return (
    <section aria-labelledby="steps-title" id="steps">
      <h2 id="steps-title">What this key may do now</h2>
      <p>
        Each step is sealed in the chain of the record, under the name of this key, and stays there.
      </p>
      {steps.map(({ step, form }) => (
        <details key={step.action}>
          <summary>{step.description}</summary>
          <StepFields step={step} form={form} version={record.version} onDone={onDone} />
        </details>
      ))}
    </section>
  );
};

interface StepFieldsProps extends Pick<StepsProps, 'onDone'> {
  readonly step: NextStep;
  readonly form: StepForm;
  /** Of the record as it was shown: on another one the step is refused. */
  readonly version: number;
}

const StepFields = ({ step, form, version, onDone }: StepFieldsProps) => {
  const { client, signOut } = useSession();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  // What was sent and not answered is sent again under the same key, so that it is done once.
  const sent = useRef({ text: '', key: '' });

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setFault('');
    try {
      const body = bodyOf(form, (name) => given.get(name) as string);
      const text = JSON.stringify(body);
      if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
      await client.follow(step, body, { idempotencyKey: sent.current.key, ifMatch: version });
      onDone(`Done and sealed: ${step.description}.`);
    } catch (error) {
      if (isRefusedKey(error)) signOut(sentenceOf(error));
      setFault(error instanceof StepInputError ? error.message : sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} autocomplete="off">
      {form.fields.map((field) => (
        <div class="field" key={field.name}>
          <label for={`${step.action}-${field.name}`}>{field.label}</label>
          <Field id={`${step.action}-${field.name}`} field={field} />
        </div>
      ))}
      <p role="alert" class="failed">
        {fault}
      </p>
      <button type="submit" disabled={isBusy}>
        {isBusy ? 'Sealing…' : step.description}
      </button>
    </form>
  );
};

const Field = ({ id, field }: { readonly id: string; readonly field: StepField }) => {
  const { name, kind, required = false, initial = '' } = field;
  if (kind === 'line')
    return <input id={id} name={name} type="text" required={required} defaultValue={initial} />;
  if (kind === 'json')
    return (
      <textarea
        id={id}
        name={name}
        rows={6}
        required={required}
        spellcheck={false}
        dir="ltr"
        defaultValue={initial}
      />
    );
  return (
    <select id={id} name={name}>
      {kind.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
};
