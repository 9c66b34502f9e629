import '@testing-library/jest-dom';
import { toHaveNoViolations } from 'jest-axe';

// The environment replaces FormData with Node's, together with fetch. React passes a form to it, which only jsdom's
// FormData accepts.
const frame = document.createElement('iframe');
document.body.append(frame);
globalThis.FormData = frame.contentWindow.FormData;
frame.remove();

// jsdom has no layout to scroll.
window.scrollTo = () => undefined;

expect.extend(toHaveNoViolations);

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
