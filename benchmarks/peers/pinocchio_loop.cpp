// Pinocchio's aba in a loop over states, for the benchmarks: what a C++ user writes; one thread.
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>

using namespace pinocchio;

// parts: 28 numbers a joint: mass, com (3), inertia (9), axis (3), position (3), rotation (9), all by rows
extern "C" void *make(int n, const double *parts, const int *prismatic, const double *gravity) {
  auto *model = new Model();
  model->gravity.linear() = Eigen::Map<const Eigen::Vector3d>(gravity);
  JointIndex last = 0;
  for (int i = 0; i < n; ++i) {
    const double *x = parts + 28 * i;
    const Eigen::Vector3d com(x[1], x[2], x[3]), axis(x[13], x[14], x[15]), position(x[16], x[17], x[18]);
    Eigen::Matrix3d inertia, rotation;
    for (int k = 0; k < 9; ++k) {
      inertia(k / 3, k % 3) = x[4 + k];
      rotation(k / 3, k % 3) = x[19 + k];
    }
    const SE3 place(rotation, position);
    const std::string name = "joint" + std::to_string(i);
    if (prismatic[i]) last = model->addJoint(last, JointModelPrismaticUnaligned(axis), place, name);
    else if (axis == Eigen::Vector3d::UnitZ()) last = model->addJoint(last, JointModelRZ(), place, name);
    else last = model->addJoint(last, JointModelRevoluteUnaligned(axis), place, name);
    model->appendBodyToJoint(last, Inertia(x[0], com, inertia), SE3::Identity());
  }
  return model;
}

extern "C" void loop(const void *handle, int states, const double *q, const double *qd, const double *tau, double *qdd) {
  const Model &model = *static_cast<const Model *>(handle);
  Data data(model);
  const int n = model.nv;
  for (int k = 0; k < states; ++k) {
    const Eigen::Map<const Eigen::VectorXd> a(q + k * n, n), b(qd + k * n, n), c(tau + k * n, n);
    Eigen::Map<Eigen::VectorXd>(qdd + k * n, n) = aba(model, data, a, b, c);
  }
}
