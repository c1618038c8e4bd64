-- What a member wants to hear of, and how; without a row the program's usual way holds.
create table notice_choices (
  partner_id text not null,
  member_id bigint not null,
  topic text not null,
  channel text not null check (channel in ('email', 'push')),
  wanted boolean not null,
  primary key (partner_id, member_id, topic, channel),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
call build_wall('notice_choices');
grant select, insert, update, delete on notice_choices to dineback_app;

-- Browsers that may be woken for a member.
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
call build_wall('push_subscriptions');
grant select, insert, update, delete on push_subscriptions to dineback_app;

-- What is to be told; written in the transaction of what it tells of, each thing once a channel.
create table notices (
  id bigint generated always as identity primary key,
  partner_id text not null,
  member_id bigint not null,
  topic text not null,
  about text not null,
  channel text not null check (channel in ('email', 'push')),
  params jsonb not null,
  path text not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'unwanted')),
  attempts int not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id),
  unique (partner_id, member_id, topic, about, channel)
);
create index notices_waiting on notices (due_at) where status = 'waiting';
call build_wall('notices');
grant select, insert, update, delete on notices to dineback_app;

-- Cards that are about to expire are looked for again and again.
create index cards_by_expiry on cards (partner_id, expires) where removed_at is null and expires is not null;
