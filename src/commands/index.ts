import type { Command } from "../app/define.ts";
import type { Aliases } from "../command/route.ts";
import type { Table } from "../command/table.ts";
import { walks } from "./walks.ts";

/** The command table, one line per command. A command is loaded when it is used. */
export const table: Table<Command> = {
  auth: {
    summary: "Authenticate with servers",
    get verbs() {
      return {
        login: () => import("./auth/login.ts").then((file) => file.login),
        status: () => import("./auth/status.ts").then((file) => file.status),
        token: () => import("./auth/token.ts").then((file) => file.token),
        logout: () => import("./auth/logout.ts").then((file) => file.logout),
        refresh: () => import("./auth/refresh.ts").then((file) => file.refresh),
        switch: () => import("./auth/switch.ts").then((file) => file.switchAccount),
        "setup-git": () => import("./auth/setup-git.ts").then((file) => file.setupGit),
        "git-credential": () => import("./auth/git-credential.ts").then((file) => file.gitCredential),
      };
    },
  },
  profile: {
    summary: "Manage server profiles",
    get verbs() {
      return {
        list: () => import("./profile/list.ts").then((file) => file.list),
        show: () => import("./profile/show.ts").then((file) => file.show),
        use: () => import("./profile/use.ts").then((file) => file.use),
        set: () => import("./profile/set.ts").then((file) => file.set),
        rename: () => import("./profile/rename.ts").then((file) => file.rename),
        delete: () => import("./profile/delete.ts").then((file) => file.remove),
      };
    },
  },
  config: {
    summary: "Manage settings",
    details: walks.config,
    get verbs() {
      return {
        get: () => import("./config/get.ts").then((file) => file.get),
        set: () => import("./config/set.ts").then((file) => file.set),
        list: () => import("./config/list.ts").then((file) => file.list),
        unset: () => import("./config/unset.ts").then((file) => file.unset),
      };
    },
  },
  doctor: () => import("./doctor/doctor.ts").then((file) => file.doctor),
  pr: {
    summary: "Manage pull requests",
    get verbs() {
      return {
        list: () => import("./pr/list.ts").then((file) => file.list),
        view: () => import("./pr/view.ts").then((file) => file.view),
        diff: () => import("./pr/diff.ts").then((file) => file.diff),
        create: () => import("./pr/create.ts").then((file) => file.create),
        edit: () => import("./pr/edit.ts").then((file) => file.edit),
        close: () => import("./pr/close-reopen.ts").then((file) => file.close),
        reopen: () => import("./pr/close-reopen.ts").then((file) => file.reopen),
        ready: () => import("./pr/ready.ts").then((file) => file.ready),
        merge: () => import("./pr/merge.ts").then((file) => file.merge),
        merged: () => import("./pr/merged.ts").then((file) => file.merged),
        update: () => import("./pr/update.ts").then((file) => file.update),
        commits: () => import("./pr/commits.ts").then((file) => file.commits),
        files: () => import("./pr/files.ts").then((file) => file.files),
        checkout: () => import("./pr/checkout.ts").then((file) => file.checkout),
        checks: () => import("./pr/checks.ts").then((file) => file.checks),
        review: {
          summary: "Review pull requests",
          defaultVerb: "add",
          standsAlone: true,
          get verbs() {
            return {
              add: () => import("./pr/review.ts").then((file) => file.review),
              dismiss: () => import("./pr/review/dismiss-undismiss.ts").then((file) => file.dismiss),
              undismiss: () => import("./pr/review/dismiss-undismiss.ts").then((file) => file.undismiss),
              delete: () => import("./pr/review/delete.ts").then((file) => file.remove),
            };
          },
        },
        reviews: () => import("./pr/review.ts").then((file) => file.reviews),
        comment: () => import("./pr/comment.ts").then((file) => file.comment),
        why: () => import("./pr/why.ts").then((file) => file.why),
        status: () => import("./pr/status.ts").then((file) => file.status),
        lock: () => import("./pr/lock.ts").then((file) => file.lock),
        unlock: () => import("./pr/lock.ts").then((file) => file.unlock),
        thread: {
          summary: "Manage comments on lines of pull requests",
          get verbs() {
            return {
              list: () => import("./pr/thread/list.ts").then((file) => file.list),
              reply: () => import("./pr/thread/reply.ts").then((file) => file.reply),
              resolve: () => import("./pr/thread/resolve-unresolve.ts").then((file) => file.resolve),
              unresolve: () => import("./pr/thread/resolve-unresolve.ts").then((file) => file.unresolve),
            };
          },
        },
      };
    },
  },
  issue: {
    summary: "Manage issues",
    get verbs() {
      return {
        status: () => import("./issue/status.ts").then((file) => file.status),
        list: () => import("./issue/list.ts").then((file) => file.list),
        view: () => import("./issue/view.ts").then((file) => file.view),
        create: () => import("./issue/create.ts").then((file) => file.create),
        edit: () => import("./issue/edit.ts").then((file) => file.edit),
        close: () => import("./issue/close-reopen.ts").then((file) => file.close),
        reopen: () => import("./issue/close-reopen.ts").then((file) => file.reopen),
        comment: () => import("./issue/comment.ts").then((file) => file.comment),
        delete: () => import("./issue/delete.ts").then((file) => file.remove),
        lock: () => import("./issue/lock.ts").then((file) => file.lock),
        unlock: () => import("./issue/lock.ts").then((file) => file.unlock),
        pin: () => import("./issue/pin.ts").then((file) => file.pin),
        unpin: () => import("./issue/pin.ts").then((file) => file.unpin),
        pinned: () => import("./issue/pin.ts").then((file) => file.pinned),
        block: {
          summary: "Manage the issues that an issue blocks",
          get verbs() {
            return {
              list: () => import("./issue/dependency.ts").then((file) => file.block.list),
              add: () => import("./issue/dependency.ts").then((file) => file.block.add),
              remove: () => import("./issue/dependency.ts").then((file) => file.block.remove),
            };
          },
        },
        dependency: {
          summary: "Manage the issues that an issue depends on",
          get verbs() {
            return {
              list: () => import("./issue/dependency.ts").then((file) => file.dependency.list),
              add: () => import("./issue/dependency.ts").then((file) => file.dependency.add),
              remove: () => import("./issue/dependency.ts").then((file) => file.dependency.remove),
            };
          },
        },
        template: {
          summary: "View issue templates",
          get verbs() {
            return {
              list: () => import("./issue/template.ts").then((file) => file.list),
              view: () => import("./issue/template.ts").then((file) => file.view),
            };
          },
        },
        config: () => import("./issue/template.ts").then((file) => file.config),
        start: () => import("./issue/stopwatch.ts").then((file) => file.start),
        stop: () => import("./issue/stopwatch.ts").then((file) => file.stop),
        time: {
          summary: "Manage tracked times",
          get verbs() {
            return {
              list: () => import("./issue/time.ts").then((file) => file.list),
              add: () => import("./issue/time.ts").then((file) => file.add),
              delete: () => import("./issue/time.ts").then((file) => file.remove),
            };
          },
        },
        reaction: {
          summary: "React to issues",
          get verbs() {
            return {
              list: () => import("./issue/reaction.ts").then((file) => file.ofIssue.list),
              add: () => import("./issue/reaction.ts").then((file) => file.ofIssue.add),
              remove: () => import("./issue/reaction.ts").then((file) => file.ofIssue.remove),
            };
          },
        },
        subscribe: () => import("./issue/subscribe.ts").then((file) => file.subscribe),
        unsubscribe: () => import("./issue/subscribe.ts").then((file) => file.unsubscribe),
        timeline: () => import("./issue/timeline.ts").then((file) => file.timeline),
        attachment: {
          summary: "Manage attachments of issues",
          get verbs() {
            return {
              list: () => import("./issue/attachment.ts").then((file) => file.list),
              upload: () => import("./issue/attachment.ts").then((file) => file.upload),
              download: () => import("./issue/attachment-download.ts").then((file) => file.download),
              rename: () => import("./issue/attachment.ts").then((file) => file.rename),
              delete: () => import("./issue/attachment.ts").then((file) => file.remove),
            };
          },
        },
      };
    },
  },
  comment: {
    summary: "Manage comments on issues and pull requests",
    get verbs() {
      return {
        list: () => import("./comment/list.ts").then((file) => file.list),
        view: () => import("./comment/view.ts").then((file) => file.view),
        edit: () => import("./comment/edit.ts").then((file) => file.edit),
        delete: () => import("./comment/delete.ts").then((file) => file.remove),
        reaction: {
          summary: "React to comments",
          get verbs() {
            return {
              list: () => import("./issue/reaction.ts").then((file) => file.ofComment.list),
              add: () => import("./issue/reaction.ts").then((file) => file.ofComment.add),
              remove: () => import("./issue/reaction.ts").then((file) => file.ofComment.remove),
            };
          },
        },
      };
    },
  },
  repo: {
    summary: "Manage repositories",
    get verbs() {
      return {
        view: () => import("./repo/view.ts").then((file) => file.view),
        list: () => import("./repo/list.ts").then((file) => file.list),
        create: () => import("./repo/create.ts").then((file) => file.create),
        delete: () => import("./repo/delete.ts").then((file) => file.remove),
        clone: () => import("./repo/clone.ts").then((file) => file.clone),
        activity: () => import("./repo/activity.ts").then((file) => file.activity),
        fork: () => import("./repo/fork.ts").then((file) => file.fork),
        sync: () => import("./repo/sync.ts").then((file) => file.sync),
        "set-default": () => import("./repo/set-default.ts").then((file) => file.setDefault),
        edit: () => import("./repo/edit.ts").then((file) => file.edit),
        rename: () => import("./repo/rename.ts").then((file) => file.rename),
        archive: () => import("./repo/archive.ts").then((file) => file.archive),
        unarchive: () => import("./repo/archive.ts").then((file) => file.unarchive),
        transfer: {
          summary: "Transfer repositories to another owner",
          defaultVerb: "start",
          get verbs() {
            return {
              start: () => import("./repo/transfer/start.ts").then((file) => file.start),
              accept: () => import("./repo/transfer/answer.ts").then((file) => file.accept),
              reject: () => import("./repo/transfer/answer.ts").then((file) => file.reject),
            };
          },
        },
        topic: {
          summary: "Manage topics of repositories",
          get verbs() {
            return {
              list: () => import("./repo/topic/list.ts").then((file) => file.list),
              add: () => import("./repo/topic/add-remove.ts").then((file) => file.add),
              remove: () => import("./repo/topic/add-remove.ts").then((file) => file.remove),
            };
          },
        },
        collaborator: {
          summary: "Manage collaborators of repositories",
          get verbs() {
            return {
              list: () => import("./repo/collaborator/list.ts").then((file) => file.list),
              add: () => import("./repo/collaborator/add-remove.ts").then((file) => file.add),
              remove: () => import("./repo/collaborator/add-remove.ts").then((file) => file.remove),
              check: () => import("./repo/collaborator/permission.ts").then((file) => file.check),
              permission: () => import("./repo/collaborator/permission.ts").then((file) => file.permission),
            };
          },
        },
        team: {
          summary: "Manage the teams with access to repositories",
          get verbs() {
            return {
              list: () => import("./repo/team/list.ts").then((file) => file.list),
              add: () => import("./repo/team/add-remove.ts").then((file) => file.add),
              remove: () => import("./repo/team/add-remove.ts").then((file) => file.remove),
              check: () => import("./repo/team/list.ts").then((file) => file.check),
            };
          },
        },
        "deploy-key": {
          summary: "Manage deploy keys",
          get verbs() {
            return {
              list: () => import("./repo/deploy-key/list.ts").then((file) => file.list),
              view: () => import("./repo/deploy-key/list.ts").then((file) => file.view),
              add: () => import("./repo/deploy-key/add.ts").then((file) => file.add),
              delete: () => import("./repo/deploy-key/delete.ts").then((file) => file.remove),
            };
          },
        },
        mirror: {
          summary: "Manage push mirrors and pull mirrors",
          get verbs() {
            return {
              list: () => import("./repo/mirror/list.ts").then((file) => file.list),
              view: () => import("./repo/mirror/list.ts").then((file) => file.view),
              add: () => import("./repo/mirror/add.ts").then((file) => file.add),
              delete: () => import("./repo/mirror/delete.ts").then((file) => file.remove),
              sync: () => import("./repo/mirror/sync.ts").then((file) => file.sync),
              pull: () => import("./repo/mirror/sync.ts").then((file) => file.pull),
            };
          },
        },
        avatar: {
          summary: "Manage avatars of repositories",
          get verbs() {
            return {
              set: () => import("./repo/avatar.ts").then((file) => file.set),
              delete: () => import("./repo/avatar.ts").then((file) => file.remove),
            };
          },
        },
        watch: () => import("./repo/watch.ts").then((file) => file.watch),
        unwatch: () => import("./repo/watch.ts").then((file) => file.unwatch),
        stargazers: () => import("./repo/people.ts").then((file) => file.stargazers),
        watchers: () => import("./repo/people.ts").then((file) => file.watchers),
        forks: () => import("./repo/people.ts").then((file) => file.forks),
        license: () => import("./repo/contents.ts").then((file) => file.license),
        language: () => import("./repo/contents.ts").then((file) => file.language),
        generate: () => import("./repo/generate.ts").then((file) => file.generate),
        migrate: () => import("./repo/migrate.ts").then((file) => file.migrate),
      };
    },
  },
  org: {
    summary: "Manage organizations",
    get verbs() {
      return {
        list: () => import("./org/list.ts").then((file) => file.list),
        view: () => import("./org/view.ts").then((file) => file.view),
        create: () => import("./org/create.ts").then((file) => file.create),
        edit: () => import("./org/edit.ts").then((file) => file.edit),
        delete: () => import("./org/delete.ts").then((file) => file.remove),
        rename: () => import("./org/rename.ts").then((file) => file.rename),
        activity: () => import("./org/activity.ts").then((file) => file.activity),
        member: {
          summary: "Manage members of organizations",
          get verbs() {
            return {
              list: () => import("./org/member/list.ts").then((file) => file.list),
              check: () => import("./org/member/check.ts").then((file) => file.check),
              permission: () => import("./org/member/check.ts").then((file) => file.permission),
              remove: () => import("./org/member/remove.ts").then((file) => file.remove),
              publish: () => import("./org/member/publish.ts").then((file) => file.publish),
              conceal: () => import("./org/member/publish.ts").then((file) => file.conceal),
            };
          },
        },
        block: {
          summary: "Block users from organizations",
          get verbs() {
            return {
              list: () => import("./org/block/list.ts").then((file) => file.list),
              check: () => import("./org/block/list.ts").then((file) => file.check),
              add: () => import("./org/block/add-remove.ts").then((file) => file.add),
              remove: () => import("./org/block/add-remove.ts").then((file) => file.remove),
            };
          },
        },
        repo: {
          summary: "Manage the repositories of organizations",
          get verbs() {
            return {
              list: () => import("./org/repo/list.ts").then((file) => file.list),
              delete: () => import("./org/repo/delete.ts").then((file) => file.remove),
            };
          },
        },
        avatar: {
          summary: "Manage avatars of organizations",
          get verbs() {
            return {
              set: () => import("./org/avatar.ts").then((file) => file.set),
              delete: () => import("./org/avatar.ts").then((file) => file.remove),
            };
          },
        },
      };
    },
  },
  team: {
    summary: "Manage teams",
    get verbs() {
      return {
        list: () => import("./team/list.ts").then((file) => file.list),
        view: () => import("./team/view.ts").then((file) => file.view),
        create: () => import("./team/create.ts").then((file) => file.create),
        edit: () => import("./team/edit.ts").then((file) => file.edit),
        delete: () => import("./team/delete.ts").then((file) => file.remove),
        activity: () => import("./team/activity.ts").then((file) => file.activity),
        member: {
          summary: "Manage members of teams",
          get verbs() {
            return {
              list: () => import("./team/member/list.ts").then((file) => file.list),
              add: () => import("./team/member/add-remove.ts").then((file) => file.add),
              remove: () => import("./team/member/add-remove.ts").then((file) => file.remove),
              check: () => import("./team/member/list.ts").then((file) => file.check),
            };
          },
        },
        repo: {
          summary: "Manage repositories of teams",
          get verbs() {
            return {
              list: () => import("./team/repo/list.ts").then((file) => file.list),
              add: () => import("./team/repo/add-remove.ts").then((file) => file.add),
              remove: () => import("./team/repo/add-remove.ts").then((file) => file.remove),
              check: () => import("./team/repo/list.ts").then((file) => file.check),
            };
          },
        },
      };
    },
  },
  label: {
    summary: "Manage labels",
    get verbs() {
      return {
        list: () => import("./label/list.ts").then((file) => file.list),
        create: () => import("./label/create.ts").then((file) => file.create),
        edit: () => import("./label/edit.ts").then((file) => file.edit),
        delete: () => import("./label/delete.ts").then((file) => file.remove),
        import: () => import("./label/import.ts").then((file) => file.importLabels),
      };
    },
  },
  milestone: {
    summary: "Manage milestones",
    get verbs() {
      return {
        list: () => import("./milestone/list.ts").then((file) => file.list),
        view: () => import("./milestone/view.ts").then((file) => file.view),
        create: () => import("./milestone/create.ts").then((file) => file.create),
        edit: () => import("./milestone/edit.ts").then((file) => file.edit),
        close: () => import("./milestone/close-reopen.ts").then((file) => file.close),
        reopen: () => import("./milestone/close-reopen.ts").then((file) => file.reopen),
        delete: () => import("./milestone/delete.ts").then((file) => file.remove),
      };
    },
  },
  release: {
    summary: "Manage releases",
    get verbs() {
      return {
        list: () => import("./release/list.ts").then((file) => file.list),
        view: () => import("./release/view.ts").then((file) => file.view),
        create: () => import("./release/create.ts").then((file) => file.create),
        edit: () => import("./release/edit.ts").then((file) => file.edit),
        delete: () => import("./release/delete.ts").then((file) => file.remove),
        download: () => import("./release/download.ts").then((file) => file.download),
        upload: () => import("./release/upload.ts").then((file) => file.upload),
        "delete-asset": () => import("./release/delete-asset.ts").then((file) => file.deleteAsset),
      };
    },
  },
  branch: {
    summary: "Manage branches",
    get verbs() {
      return {
        list: () => import("./branch/list.ts").then((file) => file.list),
        view: () => import("./branch/view.ts").then((file) => file.view),
        create: () => import("./branch/create.ts").then((file) => file.create),
        rename: () => import("./branch/rename.ts").then((file) => file.rename),
        update: () => import("./branch/update.ts").then((file) => file.update),
        delete: () => import("./branch/delete.ts").then((file) => file.remove),
        protection: {
          summary: "Manage branch protections",
          get verbs() {
            return {
              list: () => import("./branch/protection/list.ts").then((file) => file.list),
              view: () => import("./branch/protection/view.ts").then((file) => file.view),
              create: () => import("./branch/protection/create.ts").then((file) => file.create),
              edit: () => import("./branch/protection/edit.ts").then((file) => file.edit),
              delete: () => import("./branch/protection/delete.ts").then((file) => file.remove),
              order: () => import("./branch/protection/order.ts").then((file) => file.order),
            };
          },
        },
      };
    },
  },
  tag: {
    summary: "Manage tags",
    get verbs() {
      return {
        list: () => import("./tag/list.ts").then((file) => file.list),
        view: () => import("./tag/view.ts").then((file) => file.view),
        create: () => import("./tag/create.ts").then((file) => file.create),
        delete: () => import("./tag/delete.ts").then((file) => file.remove),
        protection: {
          summary: "Manage tag protections",
          get verbs() {
            return {
              list: () => import("./tag/protection/list.ts").then((file) => file.list),
              view: () => import("./tag/protection/view.ts").then((file) => file.view),
              create: () => import("./tag/protection/create.ts").then((file) => file.create),
              edit: () => import("./tag/protection/edit.ts").then((file) => file.edit),
              delete: () => import("./tag/protection/delete.ts").then((file) => file.remove),
            };
          },
        },
      };
    },
  },
  commit: {
    summary: "View commits and their statuses",
    get verbs() {
      return {
        list: () => import("./commit/list.ts").then((file) => file.list),
        view: () => import("./commit/view.ts").then((file) => file.view),
        note: () => import("./commit/note.ts").then((file) => file.showNote),
        status: {
          summary: "View and set commit statuses",
          get verbs() {
            return {
              list: () => import("./commit/status/list.ts").then((file) => file.list),
              set: () => import("./commit/status/set.ts").then((file) => file.set),
            };
          },
        },
      };
    },
  },
  user: {
    summary: "Manage users",
    get verbs() {
      return {
        list: () => import("./user/list.ts").then((file) => file.list),
        view: () => import("./user/view.ts").then((file) => file.view),
        create: () => import("./user/create.ts").then((file) => file.create),
        edit: () => import("./user/edit.ts").then((file) => file.edit),
        delete: () => import("./user/delete.ts").then((file) => file.remove),
        rename: () => import("./user/rename.ts").then((file) => file.rename),
        import: () => import("./user/import.ts").then((file) => file.importUsers),
        activity: () => import("./user/activity.ts").then((file) => file.activity),
        key: {
          summary: "Manage public keys of users",
          get verbs() {
            return {
              list: () => import("./user/key/list.ts").then((file) => file.list),
              add: () => import("./user/key/add.ts").then((file) => file.add),
              delete: () => import("./user/key/delete.ts").then((file) => file.remove),
            };
          },
        },
        badge: {
          summary: "Manage badges of users",
          get verbs() {
            return {
              list: () => import("./user/badge/list.ts").then((file) => file.list),
              add: () => import("./user/badge/add.ts").then((file) => file.add),
              remove: () => import("./user/badge/remove.ts").then((file) => file.remove),
            };
          },
        },
        email: {
          summary: "Manage email addresses",
          get verbs() {
            return {
              list: () => import("./user/email/list.ts").then((file) => file.list),
              add: () => import("./user/email/add-delete.ts").then((file) => file.add),
              delete: () => import("./user/email/add-delete.ts").then((file) => file.remove),
            };
          },
        },
        block: {
          summary: "Block users",
          get verbs() {
            return {
              list: () => import("./user/block/list.ts").then((file) => file.list),
              add: () => import("./user/block/add-remove.ts").then((file) => file.add),
              remove: () => import("./user/block/add-remove.ts").then((file) => file.remove),
            };
          },
        },
        settings: {
          summary: "View and edit your settings",
          get verbs() {
            return {
              view: () => import("./user/settings/view.ts").then((file) => file.view),
              edit: () => import("./user/settings/edit.ts").then((file) => file.edit),
            };
          },
        },
        avatar: {
          summary: "Manage your avatar",
          get verbs() {
            return {
              set: () => import("./user/avatar/set-delete.ts").then((file) => file.set),
              delete: () => import("./user/avatar/set-delete.ts").then((file) => file.remove),
            };
          },
        },
        actor: () => import("./user/actor.ts").then((file) => file.userActor),
      };
    },
  },
  star: {
    summary: "Star repositories",
    defaultVerb: "add",
    get verbs() {
      return {
        add: () => import("./star/add.ts").then((file) => file.add),
        remove: () => import("./star/remove.ts").then((file) => file.remove),
        list: () => import("./star/list.ts").then((file) => file.list),
        check: () => import("./star/check.ts").then((file) => file.check),
      };
    },
  },
  follow: {
    summary: "Follow users",
    defaultVerb: "add",
    get verbs() {
      return {
        add: () => import("./follow/add.ts").then((file) => file.add),
        remove: () => import("./follow/remove.ts").then((file) => file.remove),
        list: () => import("./follow/list.ts").then((file) => file.list),
        followers: () => import("./follow/list.ts").then((file) => file.followers),
        check: () => import("./follow/check.ts").then((file) => file.check),
      };
    },
  },
  run: {
    summary: "View, watch and rerun workflow runs",
    get verbs() {
      return {
        list: () => import("./run/list.ts").then((file) => file.list),
        view: () => import("./run/view.ts").then((file) => file.view),
        jobs: () => import("./run/jobs.ts").then((file) => file.jobs),
        logs: () => import("./run/logs.ts").then((file) => file.logs),
        watch: () => import("./run/watch.ts").then((file) => file.watch),
        why: () => import("./run/why.ts").then((file) => file.why),
        rerun: () => import("./run/rerun.ts").then((file) => file.rerun),
        cancel: () => import("./run/cancel.ts").then((file) => file.cancel),
        approve: () => import("./run/cancel.ts").then((file) => file.approve),
        delete: () => import("./run/delete.ts").then((file) => file.remove),
        download: () => import("./run/download.ts").then((file) => file.download),
        digest: () => import("./run/digest.ts").then((file) => file.digest),
      };
    },
  },
  workflow: {
    summary: "View, enable and run workflows",
    get verbs() {
      return {
        list: () => import("./workflow/list.ts").then((file) => file.list),
        view: () => import("./workflow/view.ts").then((file) => file.view),
        enable: () => import("./workflow/enable.ts").then((file) => file.enable),
        disable: () => import("./workflow/enable.ts").then((file) => file.disable),
        run: () => import("./workflow/run.ts").then((file) => file.runWorkflow),
      };
    },
  },
  runner: {
    summary: "Manage runners",
    get verbs() {
      return {
        list: () => import("./runner/list.ts").then((file) => file.list),
        view: () => import("./runner/view.ts").then((file) => file.view),
        delete: () => import("./runner/delete.ts").then((file) => file.remove),
        enable: () => import("./runner/enable.ts").then((file) => file.enable),
        disable: () => import("./runner/enable.ts").then((file) => file.disable),
        token: () => import("./runner/token.ts").then((file) => file.token),
      };
    },
  },
  artifact: {
    summary: "Download and manage artifacts",
    get verbs() {
      return {
        list: () => import("./artifact/list.ts").then((file) => file.list),
        view: () => import("./artifact/view.ts").then((file) => file.view),
        download: () => import("./artifact/download.ts").then((file) => file.download),
        delete: () => import("./artifact/delete.ts").then((file) => file.remove),
      };
    },
  },
  metrics: {
    summary: "Record, decode and plot collectd metrics",
    details: walks.metrics,
    get verbs() {
      return {
        decode: () => import("./metrics/decode.ts").then((file) => file.decode),
        encode: () => import("./metrics/encode.ts").then((file) => file.encode),
        stat: () => import("./metrics/stat.ts").then((file) => file.stat),
        plot: () => import("./metrics/plot.ts").then((file) => file.plot),
        report: () => import("./metrics/report.ts").then((file) => file.report),
        serve: () => import("./metrics/serve.ts").then((file) => file.serve),
        listen: () => import("./metrics/listen.ts").then((file) => file.listen),
        push: () => import("./metrics/push.ts").then((file) => file.push),
        query: () => import("./metrics/query.ts").then((file) => file.query),
      };
    },
  },
  file: {
    summary: "View and change files of a repository",
    get verbs() {
      return {
        list: () => import("./file/list.ts").then((file) => file.list),
        view: () => import("./file/view.ts").then((file) => file.view),
        get: () => import("./file/get.ts").then((file) => file.get),
        put: () => import("./file/put.ts").then((file) => file.put),
        delete: () => import("./file/delete.ts").then((file) => file.remove),
        commit: () => import("./file/commit.ts").then((file) => file.commit),
        patch: () => import("./file/patch.ts").then((file) => file.patch),
      };
    },
  },
  wiki: {
    summary: "Manage wiki pages",
    get verbs() {
      return {
        list: () => import("./wiki/list.ts").then((file) => file.list),
        view: () => import("./wiki/view.ts").then((file) => file.view),
        create: () => import("./wiki/create.ts").then((file) => file.create),
        edit: () => import("./wiki/edit.ts").then((file) => file.edit),
        delete: () => import("./wiki/delete.ts").then((file) => file.remove),
        history: () => import("./wiki/history.ts").then((file) => file.history),
        clone: () => import("./wiki/clone.ts").then((file) => file.clone),
      };
    },
  },
  search: {
    summary: "Search for repositories, users, issues and topics",
    get verbs() {
      return {
        repo: () => import("./search/repo.ts").then((file) => file.repo),
        user: () => import("./search/user.ts").then((file) => file.user),
        issue: () => import("./search/issue.ts").then((file) => file.issue),
        topic: () => import("./search/topic.ts").then((file) => file.topic),
      };
    },
  },
  template: {
    summary: "View templates for new repositories",
    get verbs() {
      return {
        gitignore: {
          summary: "View .gitignore templates",
          get verbs() {
            return {
              list: () => import("./template/gitignore.ts").then((file) => file.list),
              view: () => import("./template/gitignore.ts").then((file) => file.view),
            };
          },
        },
        license: {
          summary: "View licenses",
          get verbs() {
            return {
              list: () => import("./template/license.ts").then((file) => file.list),
              view: () => import("./template/license.ts").then((file) => file.view),
            };
          },
        },
        label: {
          summary: "View label templates",
          get verbs() {
            return {
              list: () => import("./template/label.ts").then((file) => file.list),
              view: () => import("./template/label.ts").then((file) => file.view),
            };
          },
        },
      };
    },
  },
  browse: () => import("./browse.ts").then((file) => file.browse),
  render: () => import("./render.ts").then((file) => file.render),
  compare: () => import("./compare.ts").then((file) => file.compare),
  hook: {
    summary: "Manage webhooks",
    details: walks.hook,
    get verbs() {
      return {
        list: () => import("./hook/list.ts").then((file) => file.list),
        create: () => import("./hook/create.ts").then((file) => file.create),
        edit: () => import("./hook/edit.ts").then((file) => file.edit),
        delete: () => import("./hook/delete.ts").then((file) => file.remove),
        test: () => import("./hook/test.ts").then((file) => file.test),
        listen: () => import("./hook/listen.ts").then((file) => file.listen),
        git: {
          summary: "Manage git hooks",
          get verbs() {
            return {
              list: () => import("./hook/git/list.ts").then((file) => file.list),
              view: () => import("./hook/git/view.ts").then((file) => file.view),
              edit: () => import("./hook/git/edit.ts").then((file) => file.edit),
              delete: () => import("./hook/git/delete.ts").then((file) => file.remove),
            };
          },
        },
      };
    },
  },
  operation: {
    summary: "Call any operation of the server",
    details: walks.operation,
    get verbs() {
      return {
        list: () => import("./operation/list.ts").then((file) => file.list),
        view: () => import("./operation/view.ts").then((file) => file.view),
        call: () => import("./operation/call.ts").then((file) => file.call),
      };
    },
  },
  "ssh-key": {
    summary: "Manage your SSH keys",
    get verbs() {
      return {
        list: () => import("./ssh-key/list.ts").then((file) => file.list),
        add: () => import("./ssh-key/add.ts").then((file) => file.add),
        delete: () => import("./ssh-key/delete.ts").then((file) => file.remove),
      };
    },
  },
  "gpg-key": {
    summary: "Manage your GPG keys",
    get verbs() {
      return {
        list: () => import("./gpg-key/list.ts").then((file) => file.list),
        add: () => import("./gpg-key/add.ts").then((file) => file.add),
        verify: () => import("./gpg-key/verify.ts").then((file) => file.verify),
        delete: () => import("./gpg-key/delete.ts").then((file) => file.remove),
      };
    },
  },
  token: {
    summary: "Manage access tokens",
    get verbs() {
      return {
        list: () => import("./token/list.ts").then((file) => file.list),
        create: () => import("./token/create.ts").then((file) => file.create),
        delete: () => import("./token/delete.ts").then((file) => file.remove),
      };
    },
  },
  "oauth-app": {
    summary: "Manage your OAuth2 applications",
    get verbs() {
      return {
        list: () => import("./oauth-app/list.ts").then((file) => file.list),
        view: () => import("./oauth-app/view.ts").then((file) => file.view),
        create: () => import("./oauth-app/create.ts").then((file) => file.create),
        edit: () => import("./oauth-app/edit.ts").then((file) => file.edit),
        delete: () => import("./oauth-app/delete.ts").then((file) => file.remove),
      };
    },
  },
  admin: {
    summary: "Administer a server",
    get verbs() {
      return {
        cron: {
          summary: "List and run cron tasks",
          get verbs() {
            return {
              list: () => import("./admin/cron/list.ts").then((file) => file.list),
              run: () => import("./admin/cron/run.ts").then((file) => file.runTask),
            };
          },
        },
        org: {
          summary: "List and create organizations",
          get verbs() {
            return {
              list: () => import("./admin/org/list.ts").then((file) => file.list),
              create: () => import("./admin/org/create.ts").then((file) => file.create),
            };
          },
        },
        unadopted: {
          summary: "Adopt or delete repositories on disk",
          get verbs() {
            return {
              list: () => import("./admin/unadopted/list.ts").then((file) => file.list),
              adopt: () => import("./admin/unadopted/adopt-delete.ts").then((file) => file.adopt),
              delete: () => import("./admin/unadopted/adopt-delete.ts").then((file) => file.remove),
            };
          },
        },
        email: {
          summary: "List email addresses of users",
          get verbs() {
            return {
              list: () => import("./admin/email/list.ts").then((file) => file.list),
            };
          },
        },
      };
    },
  },
  server: () => import("./server.ts").then((file) => file.server),
  variable: {
    summary: "Manage Actions variables",
    get verbs() {
      return {
        list: () => import("./variable/list.ts").then((file) => file.list),
        get: () => import("./variable/get.ts").then((file) => file.get),
        set: () => import("./variable/set.ts").then((file) => file.set),
        delete: () => import("./variable/delete.ts").then((file) => file.remove),
      };
    },
  },
  secret: {
    summary: "Manage Actions secrets",
    get verbs() {
      return {
        list: () => import("./secret/list.ts").then((file) => file.list),
        set: () => import("./secret/set.ts").then((file) => file.set),
        delete: () => import("./secret/delete.ts").then((file) => file.remove),
      };
    },
  },
  package: {
    summary: "Manage packages",
    get verbs() {
      return {
        list: () => import("./package/list.ts").then((file) => file.list),
        view: () => import("./package/view.ts").then((file) => file.view),
        files: () => import("./package/files.ts").then((file) => file.files),
        upload: () => import("./package/upload.ts").then((file) => file.upload),
        download: () => import("./package/download.ts").then((file) => file.download),
        delete: () => import("./package/delete.ts").then((file) => file.remove),
        link: () => import("./package/link-unlink.ts").then((file) => file.link),
        unlink: () => import("./package/link-unlink.ts").then((file) => file.unlink),
      };
    },
  },
  notification: {
    summary: "List and mark notifications",
    get verbs() {
      return {
        list: () => import("./notification/list.ts").then((file) => file.list),
        view: () => import("./notification/view.ts").then((file) => file.view),
        read: () => import("./notification/read.ts").then((file) => file.read),
        unread: () => import("./notification/unread-pin.ts").then((file) => file.unread),
        pin: () => import("./notification/unread-pin.ts").then((file) => file.pin),
      };
    },
  },
  status: () => import("./status/status.ts").then((file) => file.status),
  policy: {
    summary: "Manage settings of many repositories with a file",
    details: walks.policy,
    get verbs() {
      return {
        schema: () => import("./policy/schema.ts").then((file) => file.schema),
        export: () => import("./policy/export.ts").then((file) => file.exportPolicy),
        check: () => import("./policy/plan.ts").then((file) => file.check),
        plan: () => import("./policy/plan.ts").then((file) => file.plan),
        apply: () => import("./policy/apply.ts").then((file) => file.apply),
      };
    },
  },
  journal: {
    summary: "View and undo writes",
    details: walks.journal,
    get verbs() {
      return {
        list: () => import("./journal/list.ts").then((file) => file.list),
        view: () => import("./journal/view.ts").then((file) => file.view),
        undo: () => import("./journal/undo.ts").then((file) => file.undo),
      };
    },
  },
  api: () => import("./api/api.ts").then((file) => file.api),
  mcp: {
    summary: "Serve commands to other programs",
    details: walks.mcp,
    get verbs() {
      return {
        serve: () => import("./mcp/serve.ts").then((file) => file.serve),
      };
    },
  },
  sandbox: () => import("./sandbox.ts").then((file) => file.sandbox),
  alias: {
    summary: "Manage aliases of commands",
    get verbs() {
      return {
        list: () => import("./alias/list.ts").then((file) => file.list),
        set: () => import("./alias/set.ts").then((file) => file.set),
        delete: () => import("./alias/delete.ts").then((file) => file.remove),
        import: () => import("./alias/import.ts").then((file) => file.importAliases),
      };
    },
  },
  completion: () => import("./completion.ts").then((file) => file.completion),
  schema: () => import("./schema.ts").then((file) => file.schema),
  upgrade: () => import("./upgrade.ts").then((file) => file.upgrade),
  version: () => import("./version.ts").then((file) => file.version),
};

/** Other names of commands and verbs, which help does not show. */
export const aliases: Aliases = {
  commands: {
    login: "auth login",
    logout: "auth logout",
    "pr update-branch": "pr update",
    "pr co": "pr checkout",
    "pr approve": "pr review --approve",
    "label clone": "label import --from",
    "search repos": "search repo",
    "search users": "search user",
    "search issues": "search issue",
    "search prs": "search issue --type pulls",
    "search topics": "search topic",
    unstar: "star remove",
    unfollow: "follow remove",
  },
  verbs: { ls: ["list"], rm: ["delete", "remove"], new: ["create"], show: ["view"] },
};

/** Answers the completion scripts: `tongs __complete WORD…`, which help does not show. */
export const loadComplete = () => import("./complete/complete.ts").then((file) => file.complete);
