/** The sound of a new message: two soft tones, synthesised here and only after the user has agreed. */
import { useSyncExternalStore } from 'react'
import { readStorage, storageKeys, writeStorage } from '../../../lib/storage-keys.ts'

export type SoundChoice = 'on' | 'off'

const listeners = new Set<() => void>()
let context: AudioContext | undefined

/** Browsers allow sound only after a user gesture. */
function resumeAudio(): void {
  context ??= new AudioContext()
  void context.resume()
}

function resumeAudioAtFirstTouch(): void {
  for (const name of ['pointerdown', 'keydown'] as const) window.addEventListener(name, resumeAudio, { once: true })
}

/** Sound setting of the user for new messages; undefined before the first choice. */
function soundChoice(): SoundChoice | undefined {
  const storedChoice = readStorage(storageKeys.chatSound)
  return storedChoice === 'on' || storedChoice === 'off' ? storedChoice : undefined
}

export function chooseSound(choice: SoundChoice): void {
  writeStorage(storageKeys.chatSound, choice)
  if (choice === 'on') {
    resumeAudio()
    playRing()
  }
  for (const listener of listeners) listener()
}

/** Plays the sound of a new message if the user wants it and the browser allows it. */
export function playRing(): void {
  if (soundChoice() !== 'on' || context?.state === 'closed' || !context) return
  const start = context.currentTime
  for (const [index, pitch] of [660, 880].entries()) {
    const noteStart = start + index * 0.14
    const oscillator = context.createOscillator()
    const gainNode = context.createGain()
    oscillator.frequency.value = pitch
    gainNode.gain.setValueAtTime(0, noteStart)
    gainNode.gain.linearRampToValueAtTime(0.12, noteStart + 0.02)
    gainNode.gain.exponentialRampToValueAtTime(0.001, noteStart + 0.3)
    oscillator.connect(gainNode).connect(context.destination)
    oscillator.start(noteStart)
    oscillator.stop(noteStart + 0.32)
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useSoundChoice = (): SoundChoice | undefined => useSyncExternalStore(subscribe, soundChoice)

if (soundChoice() === 'on') resumeAudioAtFirstTouch()
