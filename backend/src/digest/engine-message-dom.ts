/**
 * Recognises the message of a DOMException that a browser wrote. Its name says what failed, and is the same everywhere;
 * the text is the browser's own, and in WebKit it says nothing but the name.
 *
 * Applications have classes called NotFoundError, too, so that the text decides, not the name alone.
 *
 * @see https://webidl.spec.whatwg.org/#idl-DOMException-error-names the names
 * @see https://github.com/mozilla/gecko-dev/blob/master/dom/base/domerr.msg Gecko's texts
 * @see https://github.com/WebKit/WebKit/blob/main/Source/WebCore/dom/DOMException.cpp WebKit's texts
 */
const NAMES: ReadonlySet<string> = new Set(
  (
    'Abort Constraint DataClone Data Encoding HierarchyRequest InUseAttribute IndexSize InvalidAccess InvalidCharacter ' +
    'InvalidModification InvalidNodeType InvalidState Namespace Network NoModificationAllowed NotAllowed NotFound ' +
    'NotReadable NotSupported Operation OptOut QuotaExceeded ReadOnly Security Syntax Timeout TransactionInactive ' +
    'TypeMismatch URLMismatch Unknown Version WrongDocument'
  )
    .split(' ')
    .map((name) => `${name}Error`),
);

/** How Blink begins: the operation and the interface that has it. */
const BLINK =
  /^Failed to (?:execute '\w+' on|read the '\w+' property from|set the '[\w-]+' property on|construct|delete the '\w+' property from) '\w+': /;
/** How Gecko begins: the interface and its member. Interfaces of the Web, because a message may begin with any class. */
const GECKO =
  /^(?:Abort|Animation|Attr|Audio|Blob|Broadcast|CSS|Cache|Canvas|Character|Clipboard|Credential|Crypto|CustomElement|DOM|Document|Element|Event|FileSystem|FileReader|FormData|Geolocation|HTML|Headers|History|IDB|Location|Media|MessagePort|Mutation|Navigator|Node|Notification|Offscreen|Payment|Performance|Permissions|Push|RTC|Range|Readable|Request|Resize|Response|SVG|Screen|Selection|ServiceWorker|Shadow|Source|Storage|Subtle|Text|Tree|URL|Wake|WebSocket|Window|Worker|WritableStream|XML|XPath)\w*(?:\.\w+(?: [gs]etter)?| constructor): /;

/** Texts without the operation: Gecko's, WebKit's, and those of Blink's signals, media elements and old versions. */
const WHOLE: ReadonlySet<string> = new Set(
  [
    'Index or size is negative or greater than the allowed amount',
    'Node cannot be inserted at the specified point in the hierarchy',
    'Node cannot be used in a document other than the one in which it was created',
    'String contains an invalid character',
    'Modifications are not allowed for this document',
    'Node was not found',
    'Operation is not supported',
    'Attribute already in use',
    'An attempt was made to use an object that is not, or is no longer, usable',
    'An invalid or illegal string was specified',
    'A parameter or an operation is not supported by the underlying object',
    'The operation is insecure',
    'A network error occurred',
    'The operation was aborted',
    'The quota has been exceeded',
    'The current transaction exceeded its quota limitations',
    'The operation timed out',
    'The supplied node is incorrect or has an incorrect ancestor for this operation',
    'The object could not be cloned',
    'The operation failed for an operation-specific reason',
    'The operation failed for reasons unrelated to the database itself and not covered by any other error code',
    'A mutation operation in the transaction failed because a constraint was not satisfied',
    'A mutation operation was attempted on a database that did not allow mutations',
    'A request was placed against a transaction which is currently not active, or which is finished',
    "The fetching process for the media resource was aborted by the user agent at the user's request",
    'The play method is not allowed by the user agent or the platform in the current context, possibly because the user denied permission',
    'The media resource indicated by the src attribute or assigned media provider object was not suitable',
    'The index is not in the allowed range',
    'The operation would yield an incorrect node tree',
    'The object is in the wrong document',
    'The string contains invalid characters',
    'The object can not be modified',
    'The object can not be found here',
    'The operation is not supported',
    'The object is in an invalid state',
    'The string did not match the expected pattern',
    'The object does not support the operation or argument',
    'The object can not be cloned',
    'A mutation operation in a transaction failed because a constraint was not satisfied',
    'Provided data is inadequate',
    'The I/O read operation failed',
    'The request is not allowed by the user agent or the platform in the current context, possibly because the user denied permission',
    'Fetch is aborted',
    'signal is aborted without reason',
    'signal timed out',
    'The user aborted a request',
    'The element has no supported sources',
    'Failed to load because no supported source was found',
  ].map((text) => text.toLowerCase()),
);
/** Blink's texts about `play()`, which end with the address of an explanation. */
const BLINK_PLAY =
  /^(?:The play\(\) request was interrupted|play\(\) (?:failed because|can only be initiated))/;

/** Returns whether a browser wrote this message of a DOMException with this name. */
export function isDomMessage(name: string, message: string): boolean {
  if (!NAMES.has(name)) return false;
  const text = message.trim();
  return (
    BLINK.test(text) ||
    GECKO.test(text) ||
    BLINK_PLAY.test(text) ||
    WHOLE.has(text.replace(/\.$/, '').toLowerCase())
  );
}
