-- rolling-update: yes
-- 0059-system-page: one measurement a day of the database and the disk, and why a letter has not left yet.

create table system_days (
  day date primary key,
  database_bytes bigint not null,
  free_bytes bigint not null,
  measured_at timestamptz(3) not null default now()
);

-- A code of the latest failed attempt, never the text of the mail server, which may name the recipient.
alter table mails add column failure varchar(63);
