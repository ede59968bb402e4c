/** Makes the sounds of the table out of tones, so that no sound files are loaded. */

/** What can be heard. */
export type Sound = "turn" | "offer" | "accepted" | "harvest" | "coin" | "over";

/** One tone: its pitch in Hz, when it begins and how long it rings in s, how loud it is, and of what it is made. */
interface Tone {
  readonly pitch: number;
  readonly at: number;
  readonly length: number;
  readonly loud: number;
  readonly of: "wood" | "bell" | "pluck" | "bar";
}

/** A pentatonic scale above C4, in Hz: any of its tones go together. */
const SCALE = [261.6, 293.7, 329.6, 392, 440, 523.3, 587.3, 659.3, 784, 880, 1046.5] as const;

const step = (degree: number): number => SCALE[Math.min(Math.max(0, degree), SCALE.length - 1)] ?? 440;

/** Return the tones of a sound; a harvest climbs one step a coin. */
export function tones(sound: Sound, coins = 0): readonly Tone[] {
  switch (sound) {
    case "turn":
      return [
        { pitch: 784, at: 0, length: 0.16, loud: 0.8, of: "wood" },
        { pitch: 587.3, at: 0.13, length: 0.2, loud: 0.7, of: "wood" },
      ];
    case "offer":
      return [{ pitch: 880, at: 0, length: 0.9, loud: 0.45, of: "bell" }];
    case "accepted":
      return [
        { pitch: 392, at: 0, length: 0.4, loud: 0.6, of: "pluck" },
        { pitch: 587.3, at: 0.1, length: 0.5, loud: 0.6, of: "pluck" },
      ];
    case "harvest":
      if (coins === 0) return [{ pitch: 130.8, at: 0, length: 0.25, loud: 0.6, of: "pluck" }];
      return Array.from({ length: Math.min(coins, 6) }, (_, at) => ({
        pitch: step(at + 2),
        at: at * 0.085,
        length: 0.45,
        loud: 0.55,
        of: "pluck" as const,
      }));
    case "coin":
      return [
        { pitch: 1318.5, at: 0, length: 0.14, loud: 0.3, of: "bar" },
        { pitch: 1760, at: 0.06, length: 0.35, loud: 0.28, of: "bar" },
      ];
    case "over":
      return [0, 2, 4, 5, 7].map((degree, at) => ({
        pitch: step(degree),
        at: at * 0.13,
        length: 1.4 - at * 0.1,
        loud: 0.42,
        of: "bell" as const,
      }));
  }
}

/** Partials of each material: multiples of the pitch, how loud they are, and which part of the length they ring. */
const PARTIALS: Record<Tone["of"], readonly (readonly [multiple: number, loud: number, rings: number])[]> = {
  wood: [
    [1, 1, 0.6],
    [2.72, 0.35, 0.25],
  ],
  bell: [
    [1, 1, 1],
    [2.01, 0.35, 0.6],
    [2.76, 0.22, 0.4],
    [5.4, 0.06, 0.15],
  ],
  pluck: [
    [1, 1, 1],
    [2, 0.4, 0.6],
    [3, 0.16, 0.35],
    [4, 0.07, 0.2],
  ],
  bar: [
    [1, 1, 1],
    [3.9, 0.18, 0.2],
  ],
};

/** How long a tone takes to its full loudness, in s: without it there is a click. */
const ATTACK = 0.006;

/** Play the tones of a sound through a node of the context. */
export function ring(context: AudioContext, out: AudioNode, sound: Sound, coins: number, loud: number): void {
  const now = context.currentTime + 0.01;
  for (const tone of tones(sound, coins)) {
    for (const [multiple, part, rings] of PARTIALS[tone.of]) {
      const oscillator = context.createOscillator();
      const gain = context.createGain();
      const begin = now + tone.at;
      const end = begin + tone.length * rings;
      oscillator.frequency.value = tone.pitch * multiple;
      gain.gain.setValueAtTime(0, begin);
      gain.gain.linearRampToValueAtTime(tone.loud * part * loud, begin + ATTACK);
      gain.gain.exponentialRampToValueAtTime(0.0001, Math.max(end, begin + ATTACK * 2));
      oscillator.connect(gain).connect(out);
      oscillator.start(begin);
      oscillator.stop(end + 0.02);
      oscillator.onended = () => gain.disconnect();
    }
  }
}
