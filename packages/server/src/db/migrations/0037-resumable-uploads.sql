-- 0037-resumable-uploads: uploads that arrive in pieces, and details of stored videos.

create table resumable_uploads (
  id char(32) primary key,
  -- An upload without an owner is visible to nobody; the sweep removes it.
  owner_id integer references users (id) on delete set null,
  purpose varchar(32) not null,
  -- The name of the file, which is only a label.
  name varchar(255) not null,
  bytes bigint not null check (bytes > 0),
  created_at timestamptz(3) not null default now(),
  -- The id in uploads once the file is stored. It may be deleted since.
  file_id integer
);
create index resumable_uploads_owner_idx on resumable_uploads (owner_id);
create index resumable_uploads_created_idx on resumable_uploads (created_at);

alter table "uploads" add column "video" jsonb;
