import type { HourCount } from '@errata/backend/contract/issues-api.ts';
import { counted } from '../../ui/counted.ts';
import { Histogram } from '../../ui/histogram.tsx';

const HOUR = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' });

function hourName(hour: string): string {
  const time = new Date(hour);
  return Number.isNaN(time.getTime()) ? hour : HOUR.format(time);
}

function summaryOf(hours: readonly HourCount[]): string {
  const total = hours.reduce((sum, { count }) => sum + count, 0);
  const most = hours.reduce((high, hour) => (hour.count > high.count ? hour : high), { hour: '', count: 0 });
  if (most.count === 0) return 'No occurrences in the last 24 hours';
  const all = counted(total, 'occurrence', 'occurrences');
  return `${all} in the last 24 hours, most in the hour from ${hourName(most.hour)} (${most.count})`;
}

export function HourHistogram({ hours }: { readonly hours: readonly HourCount[] }) {
  return (
    <Histogram
      bars={hours.map(({ hour, count }) => ({ label: hourName(hour), count }))}
      summary={summaryOf(hours)}
      from="24 h ago"
      to="now"
    />
  );
}
