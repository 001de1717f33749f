/** Button that lets the user choose a file. */
import FileUp from 'lucide-react/icons/file-up'
import { useRef } from 'react'
import { Button, type ButtonProps } from '../../ui/button.tsx'

interface FileButtonProps extends Pick<ButtonProps, 'kind' | 'isBusy' | 'disabled'> {
  label: string
  /** Extensions of the files that are offered. */
  accept: string
  onFile: (file: File) => void
}

export function FileButton({ label, accept, onFile, ...buttonProps }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...buttonProps} icon={<FileUp size={17} aria-hidden />} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={({ target }) => {
          const file = target.files?.[0]
          // The same file can be chosen again after it was corrected.
          target.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}

/** Returns the form of a file with further texts. */
export function fileForm(file: File, texts: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData()
  for (const [name, text] of Object.entries(texts)) form.append(name, text)
  form.append('files', file)
  return form
}
