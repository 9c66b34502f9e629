import '@testing-library/jest-dom';
import { toHaveNoViolations } from 'jest-axe';

// The environment brings Node's FormData along with its fetch; React gives it a form, which only jsdom's takes.
const frame = document.createElement('iframe');
document.body.append(frame);
globalThis.FormData = frame.contentWindow.FormData;
frame.remove();

// jsdom has no layout to scroll.
window.scrollTo = () => undefined;

expect.extend(toHaveNoViolations);

// jsdom knows the element <dialog>, but not what opens and closes it.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
  this.dispatchEvent(new Event('close'));
};

// Popovers are in sight all the time here: nothing to hide.
HTMLElement.prototype.hidePopover = () => undefined;
