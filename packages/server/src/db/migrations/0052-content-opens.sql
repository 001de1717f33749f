-- 0052-content-opens: how often readers opened each item of content, by day.

-- A row outlives its item, so that figures of earlier days stay as they were.
create table content_opens (
  resource varchar(31) not null,
  document_id integer not null,
  -- A day of the report zone.
  day date not null,
  opens integer not null check (opens > 0),
  primary key (resource, document_id, day)
);
create index content_opens_day_idx on content_opens (day);
