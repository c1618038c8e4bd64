-- Emails to members (outbox). Written in the transaction of their cause, sent afterwards.
create table emails (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  member_id bigint not null,
  topic text not null,
  -- What the email is about. There is one email per topic and subject matter.
  about text not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  -- {"name", "type", "content"} each.
  attachments jsonb not null default '[]',
  -- Emails that are not required for an account are sent on the basis of a consent, which must still be in force when
  -- they are sent.
  consent_id bigint references consents,
  -- An email that opens an account loses its text when it has been sent, or at this time.
  secret_until timestamptz,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'stored', 'failed', 'withheld')),
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  unique (partner_id, topic, about),
  foreign key (partner_id, member_id) references members (partner_id, id),
  constraint offers_need_consent check (topic not like 'offers.%' or consent_id is not null)
);
create index emails_waiting on emails (partner_id, created_at) where status = 'waiting';
create index emails_newest on emails (partner_id, id desc);
create index emails_secret on emails (partner_id, secret_until) where secret_until is not null;
create index emails_failed on emails (partner_id) where status = 'failed';
call enable_tenant_isolation('emails');
grant select, insert, update, delete on emails to dineback_app;

-- Topics and channels that a member has chosen. Without a row the program's default applies.
create table notification_preferences (
  partner_id text not null,
  member_id bigint not null,
  topic text not null,
  channel text not null check (channel in ('email', 'push')),
  wanted boolean not null,
  primary key (partner_id, member_id, topic, channel),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
call enable_tenant_isolation('notification_preferences');
grant select, insert, update, delete on notification_preferences to dineback_app;

-- Browsers that receive a member's push messages.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  partner_id text not null,
  member_id bigint not null,
  endpoint text not null check (length(endpoint) <= 1000),
  p256dh text not null,
  auth text not null,
  time_zone text not null,
  created_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id),
  unique (partner_id, endpoint)
);
create index push_subscriptions_by_member on push_subscriptions (member_id);
call enable_tenant_isolation('push_subscriptions');
grant select, insert, update, delete on push_subscriptions to dineback_app;

-- Notifications to send. Written in the transaction of their cause, each once per channel.
create table notifications (
  id bigint generated always as identity primary key,
  partner_id text not null,
  member_id bigint not null,
  topic text not null,
  about text not null,
  channel text not null check (channel in ('email', 'push')),
  params jsonb not null,
  path text not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'unwanted')),
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id),
  unique (partner_id, member_id, topic, about, channel)
);
create index notifications_waiting on notifications (due_at) where status = 'waiting';
create index notifications_failed on notifications (partner_id) where status = 'failed';
call enable_tenant_isolation('notifications');
grant select, insert, update, delete on notifications to dineback_app;
