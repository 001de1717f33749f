/** The sound of a new message: two soft tones, synthesised here and only after the user has agreed. */
import { useSyncExternalStore } from 'react'
import { readStorage, storageKeys, writeStorage } from '../../../lib/storage-keys.ts'

export type SoundChoice = 'on' | 'off'

const listeners = new Set<() => void>()
let context: AudioContext | undefined

/** Browsers allow sound only after a user gesture. */
function wake(): void {
  context ??= new AudioContext()
  void context.resume()
}

function wakeAtFirstTouch(): void {
  for (const name of ['pointerdown', 'keydown'] as const) window.addEventListener(name, wake, { once: true })
}

/** The user's choice; undefined until they were asked. */
function soundChoice(): SoundChoice | undefined {
  const kept = readStorage(storageKeys.chatSound)
  return kept === 'on' || kept === 'off' ? kept : undefined
}

export function chooseSound(choice: SoundChoice): void {
  writeStorage(storageKeys.chatSound, choice)
  if (choice === 'on') {
    wake()
    ring()
  }
  for (const listener of listeners) listener()
}

/** Plays the sound if the user wants it and the browser allows it. */
export function ring(): void {
  if (soundChoice() !== 'on' || context?.state === 'closed' || !context) return
  const start = context.currentTime
  for (const [index, pitch] of [660, 880].entries()) {
    const at = start + index * 0.14
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0, at)
    volume.gain.linearRampToValueAtTime(0.12, at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.3)
    tone.connect(volume).connect(context.destination)
    tone.start(at)
    tone.stop(at + 0.32)
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useSoundChoice = (): SoundChoice | undefined => useSyncExternalStore(subscribe, soundChoice)

if (soundChoice() === 'on') wakeAtFirstTouch()
