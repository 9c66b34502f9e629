import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

// A wait ends when its condition holds; this only stops a hang, before the limit of the test does, so that the failure
// shows the page. A render can take seconds on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

// The environment replaces FormData with Node's, together with fetch. React passes a form to it, which only jsdom's
// FormData accepts.
const frame = document.createElement('iframe');
document.body.append(frame);
globalThis.FormData = frame.contentWindow.FormData;
frame.remove();

// jsdom has no layout to scroll.
window.scrollTo = () => undefined;

// jsdom has the element <dialog>, but not its methods.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
  this.dispatchEvent(new Event('close'));
};

// In jsdom popovers are always visible.
HTMLElement.prototype.hidePopover = () => undefined;

// jsdom does not know how the browser came to the page.
performance.getEntriesByType = () => [];
