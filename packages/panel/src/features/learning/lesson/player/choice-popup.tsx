/**
 * A button of the video player with choices above it. They are inside the player, so that full screen shows
 * them too.
 */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'

export interface ChoiceGroup {
  label: string
  value: string
  choices: readonly { value: string; label: string; lang?: string }[]
  onChoose: (value: string) => void
}

interface ChoicesProps {
  label: string
  groups: readonly ChoiceGroup[]
  /** Whether the button of the player is marked, because one of its choices is active. */
  isOn?: boolean
  children: ReactNode
}

export function Choices({ label, groups, isOn = false, children }: ChoicesProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const element = frame.current
    if (!isOpen || !element) return
    element.querySelector<HTMLElement>('input:checked')?.focus()
    const closePopup = (target: EventTarget | null) => {
      if (target instanceof Node && !element.contains(target)) setOpen(false)
    }
    const handlePress = ({ target }: PointerEvent) => closePopup(target)
    const handleFocus = ({ relatedTarget }: FocusEvent) => closePopup(relatedTarget)
    const handleKey = (event: KeyboardEvent) => {
      const isChosen = event.key === 'Enter' && event.target !== button.current
      if (event.key !== 'Escape' && !isChosen) return
      // Escape closes only the choices of the player, not a dialog around the player.
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', handlePress)
    element.addEventListener('focusout', handleFocus)
    element.addEventListener('keydown', handleKey)
    return () => {
      document.removeEventListener('pointerdown', handlePress)
      element.removeEventListener('focusout', handleFocus)
      element.removeEventListener('keydown', handleKey)
    }
  }, [isOpen])
  return (
    <div ref={frame}>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        data-tip={isOpen ? undefined : label}
        data-on={isOn || undefined}
        onClick={() => setOpen(!isOpen)}
        className="player-button"
      >
        {children}
      </button>
      {isOpen ? (
        <div id={id} className="player-popup">
          {groups.map((group) => (
            <fieldset key={group.label}>
              <legend>{group.label}</legend>
              {group.choices.map(({ value, label: text, lang }) => (
                <label key={value}>
                  <input
                    type="radio"
                    name={`${id}-${group.label}`}
                    checked={value === group.value}
                    onChange={() => group.onChoose(value)}
                  />
                  <span lang={lang}>{text}</span>
                </label>
              ))}
            </fieldset>
          ))}
        </div>
      ) : null}
    </div>
  )
}
