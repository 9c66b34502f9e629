import { type KeyboardEvent, type PointerEvent, type ReactNode, type SyntheticEvent, useState } from 'react';
import styles from './charts.module.css';

interface Bar {
  /** Its meaning in one line: "14:00–15:00 · 812 server". */
  readonly text: string;
  /** Stacked from the bottom; null draws a gap. */
  readonly counts: readonly number[] | null;
  /** Whether a line marks its beginning. */
  readonly isMarked?: boolean;
}

interface BarsProps {
  readonly bars: readonly Bar[];
  /** The line above while no bar is picked: "38 in the last 24 hours, max 12 per hour". */
  readonly caption: string;
  /** For screen readers, in place of the caption. */
  readonly label?: string;
  /** Labels of both ends. */
  readonly from: string;
  readonly to: string;
  /** Stands beside the line above. */
  readonly aside?: ReactNode;
  /** Gets the place of the bar that was clicked, or that was picked when Enter was pressed. */
  readonly onChoose?: (at: number) => void;
}

const STEP = 10;
const WIDTH = 8;
const HEIGHT = 48;
/** Smallest bar: one event must be visible beside a thousand. */
const MIN_HEIGHT = 3;
const BASE_HEIGHT = 1;
/** Classes of the counts of a bar, from the bottom. */
const PARTS = [styles.bar, styles.second];

const MOVES: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  Home: -Infinity,
  End: Infinity,
};

function sum(counts: readonly number[] | null): number {
  return counts?.reduce((total, count) => total + count, 0) ?? 0;
}

interface SlotProps {
  readonly bar: Bar;
  readonly at: number;
  readonly isPicked: boolean;
  /** Count at full height. */
  readonly most: number;
}

/** Draws a bar, on a ground as high as the chart: the pointer finds the smallest one, too. */
function Slot({ bar: { counts, isMarked = false }, at, isPicked, most }: SlotProps) {
  const total = sum(counts);
  const height = total === 0 ? BASE_HEIGHT : Math.max(MIN_HEIGHT, (total / most) * HEIGHT);
  const shape = { x: at * STEP + (STEP - WIDTH) / 2, width: WIDTH };
  const topOf = (part: number) => HEIGHT - (sum(counts?.slice(0, part + 1) ?? []) / total) * height;
  return (
    <g data-at={at}>
      <rect className={isPicked ? styles.here : styles.place} x={at * STEP} width={STEP} height={HEIGHT} />
      {counts !== null && total === 0 && (
        <rect className={styles.none} {...shape} y={HEIGHT - height} height={height} />
      )}
      {counts?.map(
        (count, part) =>
          count > 0 && (
            <rect
              key={part}
              className={PARTS[part]}
              {...shape}
              y={topOf(part)}
              height={(count / total) * height}
            />
          ),
      )}
      {isMarked && <path className={styles.mark} d={`M${at * STEP} 0V${HEIGHT}`} />}
    </g>
  );
}

/** Returns the place of the bar below the pointer; undefined for a click of assistive technology, which names none. */
function placeOf({ target }: SyntheticEvent): number | undefined {
  const place = target instanceof Element ? target.closest('g')?.dataset['at'] : undefined;
  return place === undefined ? undefined : Number(place);
}

/** Picks a bar by pointer, finger and keys. @param last place of the last bar, picked for screen readers at first. */
function usePicked(last: number, onChoose: BarsProps['onChoose']) {
  const [picked, setPicked] = useState<number>();
  const at = Math.min(picked ?? last, last);

  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    // With Alt they are the browser's: back and forward.
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter') onChoose?.(at);
    else if (move === undefined) return;
    else setPicked(Math.min(last, Math.max(0, at + move)));
    event.preventDefault();
  };
  const point = (event: PointerEvent, place?: number) => {
    if (event.pointerType !== 'touch') setPicked(place);
  };
  const onClick = (event: SyntheticEvent) => {
    const place = placeOf(event) ?? at;
    const { nativeEvent } = event;
    const isTouch = 'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch';
    if (isTouch && place !== picked) setPicked(place);
    else onChoose?.(place);
  };
  const events = {
    onKeyDown,
    onClick,
    onPointerOver: (event: PointerEvent) => point(event, placeOf(event)),
    onPointerLeave: (event: PointerEvent) => point(event),
    onBlur: () => setPicked(undefined),
  };
  return { picked, at, events };
}

/**
 * Shows counts over time. It is one tab stop: pointer, finger and arrows pick a bar, whose line stands above in place of
 * the caption; a click or Enter chooses it. A finger picks by the first tap and chooses by the second one.
 */
export function Bars({ bars, caption, label = caption, from, to, aside, onChoose }: BarsProps) {
  const { picked, at, events } = usePicked(bars.length - 1, onChoose);
  const most = Math.max(...bars.map(({ counts }) => sum(counts)));
  const text = bars[at]?.text;
  return (
    <figure className={styles.chart}>
      <div className={styles.scale}>
        <p className={styles.picked} aria-hidden="true">
          {picked === undefined ? caption : text}
        </p>
        {aside}
      </div>
      <svg
        className={onChoose === undefined ? styles.bars : `${styles.bars} ${styles.choice}`}
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        // An input has no bars in it.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={bars.length}
        aria-valuenow={at + 1}
        aria-valuetext={text}
        {...events}
      >
        {bars.map((bar, index) => (
          <Slot key={index} bar={bar} at={index} isPicked={index === picked} most={most} />
        ))}
      </svg>
      <figcaption className={styles.scale} aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </figcaption>
    </figure>
  );
}
