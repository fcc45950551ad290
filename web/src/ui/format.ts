// Numbers, money and times as people read them.

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export function count(value: number): string {
  return whole.format(value);
}

export function compact(value: number): string {
  return value < 10_000 ? whole.format(value) : short.format(value);
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Small amounts keep their first digits. */
export function dollars(value: number): string {
  if (value === 0) return '$0';
  if (value < 0.0001) return '< $0.0001';
  return `$${value < 1 ? value.toFixed(4).replace(/0{1,2}$/, '') : value.toFixed(2)}`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** A time that something took. */
export function seconds(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 1_000_000) return `${(value / 1000).toFixed(1)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

export function day(time: string): string {
  return new Date(time).toLocaleDateString('en', { month: 'short', day: 'numeric', year: 'numeric' });
}

export function moment(time: string): string {
  return new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How long ago, or how long until. */
export function distance(time: string, now = Date.now()): string {
  const apart = new Date(time).getTime() - now;
  for (const [unit, length] of STEPS) {
    if (Math.abs(apart) >= length) return relative.format(Math.round(apart / length), unit);
  }
  return 'now';
}
