/**
 * Input for an https address. A valid address gets a link that opens a new tab, and a video shows on request.
 */
import ExternalLink from 'lucide-react/icons/external-link'
import type { ComponentProps } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Input } from '../../ui/inputs/input.tsx'
import { VideoPreview } from './video-preview.tsx'

export interface LinkInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  value: string
  onValueChange: (value: string) => void
  /** Whether the address is expected to lead to a video. */
  video: boolean
}

/** Addresses with another scheme, or with a name and password, are not safe to open. */
function isSafe(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocol === 'https:' && username === '' && password === ''
}

export function LinkInput({ value, onValueChange, video, ...inputProps }: LinkInputProps) {
  const t = useT()
  const address = value.trim()
  return (
    <div className="grid gap-1.5">
      <Input
        {...inputProps}
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
      />
      {isSafe(address) ? (
        <>
          {video ? <VideoPreview key={address} address={address} /> : null}
          <a
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-h-6 items-center gap-1.5 justify-self-start text-sm font-semibold text-brand-text underline-offset-[3px] hover:underline pointer-coarse:min-h-11"
          >
            <ExternalLink size={14} aria-hidden />
            {t('link.open')}
          </a>
        </>
      ) : null}
    </div>
  )
}
