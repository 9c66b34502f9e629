import { useEffect, useState } from 'react';

const TICK_MS = 30_000;

/** Returns the present, ms since 1970, fresh enough for "2 min ago". */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
