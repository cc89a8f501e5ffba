import { render } from 'preact';
import { App } from './app.tsx';

/** Where the service answers: what stands before `/console` in the address of this page. */
const base = location.origin + location.pathname.replace(/\/console\/?$/, '');

render(<App base={base} attacks={'attacks' in document.documentElement.dataset} />, byId());

function byId(): HTMLElement {
  const place = document.getElementById('console');
  if (!place) throw new Error('the page has no #console');
  return place;
}
